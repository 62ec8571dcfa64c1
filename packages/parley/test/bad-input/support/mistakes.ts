import type { OperationName } from '../../../src/model/operations.ts';
import type { ErrorName } from './codes.ts';
import type { Form, Headers } from './forms.ts';
import { nestedLists } from './json.ts';

/** A mistake in the parameters or the headers of a request that is right otherwise. */
export interface Mistake {
  readonly name: string;
  readonly operation: OperationName;
  /** Out of the least right parameters, wrong ones. */
  readonly params: (form: Form) => unknown;
  readonly headers?: Headers;
  readonly error: ErrorName;
  readonly fields?: (form: Form) => readonly string[];
  /** Over JSON-RPC the error has the shape of the newest version: nothing says which one is meant (reference: mapping §1). */
  readonly newest?: boolean;
  /** The mistake cannot be made in other forms. */
  readonly only?: (form: Form) => boolean;
}

const SEND = { operation: 'sendMessage', error: 'INVALID_PARAMS' } as const;
const message =
  (members: Readonly<Record<string, unknown>>) =>
  (form: Form): unknown =>
    form.send(members);
const partsOf = (form: Form, ...parts: readonly unknown[]): unknown => form.send({ [form.parts]: parts });
const partField =
  (index: number, inner = '') =>
  (form: Form): string[] => [`message.${form.parts}[${index}]${inner}`];
const isV1 = (form: Form) => form.version === '1.0';
const isText = (form: Form) => form.version === '0.3' && form.parts === 'parts';
const isProto = (form: Form) => form.parts === 'content';
const isRpc = (form: Form) => form.binding === 'jsonrpc';

/** A second part beside a right one, so that the error has to say which of them is wrong. */
function part(name: string, only: (form: Form) => boolean, wrong: unknown, inner = ''): Mistake {
  const params = (form: Form) => partsOf(form, form.textPart('fine'), wrong);
  return { ...SEND, name, only, params, fields: partField(1, inner) };
}

const PARTS: readonly Mistake[] = [
  part('raw and url together', isV1, { raw: 'aGk=', url: 'https://example.com' }),
  part('text and data together', isV1, { text: 'x', data: null }),
  part('no content', isV1, { filename: 'x' }),
  part('the file of 0.3', isV1, { file: { uri: 'https://example.com' } }),
  part('text and file together, and no kind', isText, { text: 'x', file: { uri: 'https://example.com' } }),
  part('bytes and uri together', isText, { kind: 'file', file: { bytes: 'aGk=', uri: 'https://x' } }, '.file'),
  part('no content in a file', isText, { kind: 'file', file: { name: 'x' } }, '.file'),
  part('no content', isText, {}),
  part('a kind without its content', isText, { kind: 'text', data: {} }, '.text'),
  part('a kind that there is not', isText, { kind: 'image', text: 'x' }, '.kind'),
  part('data that is a list', isText, { kind: 'data', data: [1] }, '.data'),
  part('bytes and uri together', isProto, { file: { fileWithBytes: 'aGk=', fileWithUri: 'https://x' } }, '.file'),
  part('no content in a file', isProto, { file: { mimeType: 'text/plain' } }, '.file'),
  part('text and data together', isProto, { text: 'x', data: { data: {} } }),
  part('no content', isProto, {}),
];

const SENDS: readonly Mistake[] = [
  { ...SEND, name: 'no parts', params: (form) => partsOf(form), fields: (form) => [`message.${form.parts}`] },
  { ...SEND, name: 'an empty message id', params: message({ messageId: '' }), fields: () => ['message.messageId'] },
  { ...SEND, name: 'no message', params: () => ({}), fields: () => ['message'] },
  { ...SEND, name: 'an empty message', params: () => ({ message: [] }), fields: () => ['message'] },
  { ...SEND, name: 'a role that there is not', params: message({ role: 'system' }), fields: () => ['message.role'] },
  { ...SEND, name: 'a role of another type', params: message({ role: {} }), fields: () => ['message.role'] },
  {
    ...SEND,
    name: 'a negative historyLength',
    params: (form) => ({ ...form.send(), configuration: { historyLength: -1 } }),
    fields: () => ['configuration.historyLength'],
  },
  {
    ...SEND,
    name: 'a fraction for a historyLength',
    params: (form) => ({ ...form.send(), configuration: { historyLength: 0.5 } }),
    fields: () => ['configuration.historyLength'],
  },
  {
    ...SEND,
    name: 'a skill that the agent does not have',
    params: message({ metadata: { skillId: 'juggling' } }),
    fields: () => ['message.metadata.skillId'],
  },
  {
    ...SEND,
    name: 'a task that there is not',
    params: message({ taskId: 'unknown' }),
    error: 'TASK_NOT_FOUND',
  },
  {
    ...SEND,
    name: 'a task whose id is the name of a member of every object',
    params: message({ taskId: '__proto__' }),
    error: 'TASK_NOT_FOUND',
  },
  {
    ...SEND,
    name: 'members that only the prototype has',
    params: () => JSON.parse('{"__proto__":{"message":{"messageId":"m"}},"constructor":{"message":{}}}'),
    fields: () => ['message'],
  },
  {
    ...SEND,
    name: 'a version that there is not',
    params: (form) => form.send(),
    headers: { 'a2a-version': '9.9' },
    error: 'VERSION_NOT_SUPPORTED',
    newest: true,
  },
  {
    ...SEND,
    name: 'a version that is none',
    params: (form) => form.send(),
    headers: { 'a2a-version': 'latest\u00e9' },
    error: 'VERSION_NOT_SUPPORTED',
    newest: true,
  },
  {
    ...SEND,
    name: 'metadata nested too deep',
    params: (form) => ({ ...form.send(), metadata: { a: JSON.parse(nestedLists(100)) } }),
    fields: () => ['body'],
  },
];

const list = (name: string, params: Readonly<Record<string, unknown>>, field: string): Mistake => ({
  name,
  operation: 'listTasks',
  params: () => params,
  error: 'INVALID_PARAMS',
  fields: () => [field],
  only: isV1,
});

const LISTS: readonly Mistake[] = [
  list('a page of no tasks', { pageSize: 0 }, 'pageSize'),
  list('a page of too many tasks', { pageSize: 101 }, 'pageSize'),
  list('a negative page', { pageSize: -5 }, 'pageSize'),
  list('half a page', { pageSize: 1.5 }, 'pageSize'),
  list('a page size in words', { pageSize: 'ten' }, 'pageSize'),
  list('a negative historyLength', { historyLength: -1 }, 'historyLength'),
  list('a fraction for a historyLength', { historyLength: 1.5 }, 'historyLength'),
  list('a state that there is not', { status: 'TASK_STATE_DONE' }, 'status'),
  list('a state of 0.3', { status: 'completed' }, 'status'),
  list('a time without a zone', { statusTimestampAfter: '2026-01-05T10:15:00' }, 'statusTimestampAfter'),
  list('a forged page token', { pageToken: 'bm90IGEgdG9rZW4' }, 'pageToken'),
];

const TASKS: readonly Mistake[] = (['getTask', 'cancelTask', 'subscribeToTask'] as const).flatMap((operation) => [
  {
    name: 'an empty id',
    operation,
    params: () => ({ id: '' }),
    error: 'INVALID_PARAMS',
    fields: () => ['id'],
    only: isRpc,
  },
  { name: 'no id', operation, params: () => ({}), error: 'INVALID_PARAMS', fields: () => ['id'], only: isRpc },
  { name: 'a task that there is not', operation, params: () => ({ id: 'unknown' }), error: 'TASK_NOT_FOUND' },
  { name: 'an id of dots', operation, params: () => ({ id: '....' }), error: 'TASK_NOT_FOUND' },
  { name: 'an id of a NUL', operation, params: () => ({ id: '\u0000' }), error: 'TASK_NOT_FOUND' },
  { name: 'a task called constructor', operation, params: () => ({ id: 'constructor' }), error: 'TASK_NOT_FOUND' },
  {
    name: 'an id with line ends and quotes',
    operation,
    params: () => ({ id: 'x\r\nset-cookie: a="b' }),
    error: 'TASK_NOT_FOUND',
  },
]);

export const MISTAKES: readonly Mistake[] = [...SENDS, ...PARTS, ...LISTS, ...TASKS];
