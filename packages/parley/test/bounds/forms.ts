import { METHOD_NAMES as V03_METHODS } from '../../src/dialects/v0_3/methods.ts';
import { METHOD_NAMES as V1_METHODS } from '../../src/dialects/v1_0/methods.ts';
import type { OperationName } from '../../src/model/operations.ts';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';

type Params = Readonly<Record<string, unknown>>;

/** One dialect in one binding, at an address where it is spoken: a row of every table in this folder. */
export interface Form {
  readonly name: string;
  readonly binding: 'jsonrpc' | 'rest';
  /** The address of the agent. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON-RPC methods, or verbs and paths of REST, of the operations that it has. */
  readonly operations: Readonly<Partial<Record<OperationName, string>>>;
  /** The member that has a send's message. */
  readonly message: Params;
  /** The member of a message that has its parts. */
  readonly parts: 'parts' | 'content';
  readonly textPart: (text: string) => unknown;
  /** The member of a request that names the task. */
  readonly taskId: 'id' | 'taskId';
  /** The code of invalid parameters in the body of an error. */
  readonly invalid: number;
}

/** The mounts that the forms need beside those that every server has. */
export const MOUNTS = SPEAKERS_MOUNTS;

const V1_ROUTES = {
  sendMessage: 'POST /message:send',
  sendStreamingMessage: 'POST /message:stream',
  getTask: 'GET /tasks/{id}',
  listTasks: 'GET /tasks',
  cancelTask: 'POST /tasks/{id}:cancel',
  subscribeToTask: 'POST /tasks/{id}:subscribe',
} as const;

const { listTasks: _, ...V03_ROUTES } = V1_ROUTES;
const MESSAGE = { messageId: 'm-1', role: 'user' };
const V03_MESSAGE = { kind: 'message', ...MESSAGE };
const INVALID_PARAMS = -32602;

const V1: Form = {
  name: '1.0 JSON-RPC',
  binding: 'jsonrpc',
  base: '/a2a',
  headers: { 'a2a-version': '1.0' },
  operations: V1_METHODS,
  message: { ...MESSAGE, role: 'ROLE_USER' },
  parts: 'parts',
  textPart: (text) => ({ text }),
  taskId: 'id',
  invalid: INVALID_PARAMS,
};

const V03: Form = {
  ...V1,
  name: '0.3 JSON-RPC',
  headers: { 'a2a-version': '0.3' },
  operations: V03_METHODS,
  message: V03_MESSAGE,
  textPart: (text) => ({ kind: 'text', text }),
};

const REST = { binding: 'rest', invalid: 400 } as const;
const V03_BELOW = Object.fromEntries(
  Object.entries(V03_ROUTES).map(([name, route]) => [name, route.replace(' /', ' /v1/')]),
);

/** Every dialect and binding that a server offers. */
export const FORMS: readonly Form[] = [
  V1,
  { ...V1, ...REST, name: '1.0 HTTP+JSON', operations: V1_ROUTES },
  V03,
  { ...V03, ...REST, name: '0.3 HTTP+JSON', operations: V03_BELOW },
  {
    ...V1,
    ...REST,
    name: '0.3 HTTP+JSON in the words of its proto',
    headers: { 'a2a-version': '0.3' },
    operations: V03_BELOW,
    parts: 'content',
  },
  { ...V03, ...REST, name: '0.3 HTTP+JSON at the root', base: '', operations: V03_BELOW, invalid: INVALID_PARAMS },
  { ...V03, name: 'rxjs', base: '/api/a2a', headers: {} },
  { ...V03, name: 'rxjs-older', base: '/older', headers: {} },
  { ...V03, name: 'banterop', base: '/a2a/v1', headers: {} },
  { ...V03, name: 'cogitator', base: '/cogitator', headers: {}, textPart: (text) => ({ type: 'text', text }) },
  { ...V03, name: 'jaf', base: '/jaf', headers: {} },
  { ...V03, name: 'jaf by its headers', headers: { 'x-a2a-client': 'test', 'x-a2a-version': '0.3.0' } },
  { ...V1, name: 'draft', base: '/draft', headers: {}, message: MESSAGE },
  {
    ...V1,
    name: 'draft, streamed',
    base: '/draft/stream',
    headers: {},
    message: MESSAGE,
    operations: { sendMessage: 'SendMessage' },
  },
];

/** The parameters of a send, with other members of its message. */
export function sendOf(form: Form, message: Params = {}, more: Params = {}): Params {
  return { message: { ...form.message, [form.parts]: [form.textPart('hello')], ...message }, ...more };
}

/** A request with these parameters. */
export function requestOf(form: Form, operation: OperationName, params: Params): Request {
  const calling = form.operations[operation];
  if (calling === undefined) throw new Error(`${form.name} has no ${operation}`);
  if (form.binding === 'jsonrpc') {
    return posted(form, form.base, JSON.stringify({ jsonrpc: '2.0', id: 'q-1', method: calling, params }));
  }
  const [verb = '', template = ''] = calling.split(' ');
  const path = template.replace('{id}', encodeURIComponent(String(params.id)));
  if (verb === 'POST') return posted(form, `${form.base}${path}`, JSON.stringify(params));
  const query = Object.entries(params).filter(([name]) => !template.includes(`{${name}}`));
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]));
  return new Request(`http://localhost${form.base}${path}?${search.toString()}`, { headers: form.headers });
}

/** A POST of a text as it stands. */
export function posted(form: Form, path: string, body: string): Request {
  const headers = { 'content-type': 'application/json', ...form.headers };
  return new Request(`http://localhost${path}`, { method: 'POST', body, headers });
}
