import { A2AServer, inputRequired } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperationName } from '../../src/model/operations.ts';
import { agentOf } from '../support/script.ts';
import { FORMS, type Form, MOUNTS, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

const ID_LENGTH = 1024;
const FIELD_LENGTH = 8192;
const MOST = 100;

const longer = (most: number) => 'x'.repeat(most + 1);
const TOO_LONG = longer(ID_LENGTH);
const more = (item: unknown) => Array.from({ length: MOST + 1 }, () => item);

/** One field of a request that says too much. */
interface Case {
  readonly field: string;
  readonly operation?: OperationName;
  readonly params: (form: Form) => Readonly<Record<string, unknown>>;
  readonly limit: number;
  /** The forms that have such a field. Default: all. */
  readonly in?: (form: Form) => boolean;
}

const isOf =
  (...names: readonly string[]) =>
  ({ name }: Form) =>
    names.some((one) => name.startsWith(one));
const isV1 = isOf('1.0');

const CASES: readonly Case[] = [
  ...['messageId', 'contextId', 'taskId'].map((name) => ({
    field: `message.${name}`,
    params: (form: Form) => sendOf(form, { [name]: TOO_LONG }),
    limit: ID_LENGTH,
  })),
  {
    field: 'message.referenceTaskIds',
    params: (form) => sendOf(form, { referenceTaskIds: more('t') }),
    limit: MOST,
  },
  {
    field: 'message.referenceTaskIds[1]',
    params: (form) => sendOf(form, { referenceTaskIds: ['t', TOO_LONG] }),
    limit: ID_LENGTH,
  },
  { field: 'message.extensions', params: (form) => sendOf(form, { extensions: more('u') }), limit: MOST },
  { field: 'message.extensions[0]', params: (form) => sendOf(form, { extensions: [TOO_LONG] }), limit: ID_LENGTH },
  {
    field: 'configuration.acceptedOutputModes',
    params: (form) => sendOf(form, {}, { configuration: { acceptedOutputModes: more('text/plain') } }),
    limit: MOST,
    in: ({ name }) => !name.startsWith('jaf'),
  },
  {
    field: 'configuration.historyLength',
    params: (form) => sendOf(form, {}, { configuration: { historyLength: '9'.repeat(100_000) } }),
    limit: 32,
    in: ({ name }) => !name.startsWith('jaf'),
  },
  ...(['url', 'token'] as const).map((name) => ({
    field: `configuration.pushNotificationConfig.${name}`,
    params: (form: Form) => {
      const config = { url: 'https://client.example/hook', [name]: longer(FIELD_LENGTH) };
      return sendOf(form, {}, { configuration: { pushNotificationConfig: config } });
    },
    limit: FIELD_LENGTH,
    in: isOf('0.3', 'draft', 'rxjs', 'banterop', 'cogitator'),
  })),
  {
    field: 'tenant',
    params: (form) => sendOf(form, {}, { tenant: TOO_LONG }),
    limit: ID_LENGTH,
    in: isV1,
  },
  ...(['getTask', 'cancelTask', 'subscribeToTask'] as const).map((operation) => ({
    field: 'id',
    operation,
    params: () => ({ id: TOO_LONG }),
    limit: ID_LENGTH,
    in: ({ name }: Form) => !name.startsWith('rxjs') || operation !== 'subscribeToTask',
  })),
  {
    field: 'contextId',
    operation: 'listTasks',
    params: () => ({ contextId: TOO_LONG }),
    limit: ID_LENGTH,
  },
  { field: 'pageToken', operation: 'listTasks', params: () => ({ pageToken: TOO_LONG }), limit: ID_LENGTH, in: isV1 },
  {
    field: 'cursor',
    operation: 'listTasks',
    params: () => ({ cursor: TOO_LONG }),
    limit: ID_LENGTH,
    in: isOf('draft'),
  },
  {
    field: 'state',
    operation: 'listTasks',
    params: () => ({ state: more('TASK_STATE_WORKING') }),
    limit: MOST,
    in: isOf('draft'),
  },
  {
    field: 'reason',
    operation: 'cancelTask',
    params: () => ({ id: 't', reason: longer(FIELD_LENGTH) }),
    limit: FIELD_LENGTH,
    in: isOf('jaf'),
  },
];

function start(limits = {}) {
  let runs = 0;
  const agent = agentOf((task) => {
    runs += 1;
    return task.text === 'ask' ? inputRequired('Which one?') : task.text;
  });
  const server = new A2AServer({ agents: [agent], mounts: MOUNTS, limits, anonymous: 'shared' });
  onTestFinished(() => server.close());
  return { server, runs: () => runs };
}

describe.each(FORMS)('$name', (form) => {
  const has = ({ operation = 'sendMessage', in: isIn = () => true }: Case) =>
    form.operations[operation] !== undefined && isIn(form);

  it.each(
    CASES.filter(has),
  )('refuses $field of $operation beyond its limit, by name [rule:security.limits] [rule:errors.fields]', async ({
    field,
    operation = 'sendMessage',
    params,
    limit,
  }) => {
    const { server, runs } = start();
    const response = await server.fetch(requestOf(form, operation, params(form)));
    const text = await textOf(response);
    const error = expectShort(form, text);
    expect(error.code).toBe(form.invalid);
    expect(text).toContain(field);
    expect(text).toMatch(new RegExp(`at most ${limit} (characters|elements)`));
    expect(runs()).toBe(0);
  });

  it('takes ids and lists that are as long as their limits [rule:security.limits]', async () => {
    const { server, runs } = start();
    const message = {
      messageId: 'm'.repeat(ID_LENGTH),
      contextId: 'c'.repeat(ID_LENGTH),
      extensions: Array.from({ length: MOST }, () => 'u'.repeat(ID_LENGTH)),
      referenceTaskIds: Array.from({ length: MOST }, () => 't'),
    };
    const response = await server.fetch(requestOf(form, 'sendMessage', sendOf(form, message)));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('c'.repeat(ID_LENGTH));
    expect(runs()).toBe(1);
  });

  it('has other limits where the server sets them [rule:security.limits]', async () => {
    const { server } = start({ idLength: 8, references: 2 });
    for (const [message, problem] of [
      [{ messageId: 'm'.repeat(9) }, 'message.messageId must have at most 8 characters'],
      [{ referenceTaskIds: ['a', 'b', 'c'] }, 'message.referenceTaskIds must have at most 2 elements'],
    ] as const) {
      const response = await server.fetch(requestOf(form, 'sendMessage', sendOf(form, message)));
      expect(expectShort(form, await textOf(response)).text).toContain(problem);
    }
    const short = await server.fetch(requestOf(form, 'sendMessage', sendOf(form, { messageId: 'm'.repeat(8) })));
    expect(await short.text()).not.toContain('error');
  });
});
