import { A2AError, inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

const TYPE = 'type.googleapis.com/google.rpc.';

interface Mistake {
  readonly name: string;
  readonly code: number;
  readonly reason: string;
  readonly make: () => Promise<Wire>;
}

const echo = () => startServer(agentOf((task) => task.text)).peer;

const finished = async (peer: RpcPeer): Promise<string> => (await peer.send('hello')).id;

const MISTAKES: readonly Mistake[] = [
  {
    name: 'TaskNotFoundError',
    code: -32001,
    reason: 'TASK_NOT_FOUND',
    make: () => echo().error('GetTask', { id: 'unknown' }),
  },
  {
    name: 'TaskNotCancelableError',
    code: -32002,
    reason: 'TASK_NOT_CANCELABLE',
    make: async () => {
      const peer = echo();
      return peer.error('CancelTask', { id: await finished(peer) });
    },
  },
  {
    name: 'PushNotificationNotSupportedError',
    code: -32003,
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    make: () =>
      startServer(
        agentOf((task) => task.text),
        { push: false },
      ).peer.error('CreateTaskPushNotificationConfig', { taskId: 'x', url: 'https://example.com' }),
  },
  {
    name: 'UnsupportedOperationError',
    code: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    make: async () => {
      const peer = echo();
      return peer.error('SubscribeToTask', { id: await finished(peer) });
    },
  },
  {
    name: 'ContentTypeNotSupportedError',
    code: -32005,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    make: () => echo().error('SendMessage', sendParams('', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] })),
  },
  {
    name: 'InvalidAgentResponseError',
    code: -32006,
    reason: 'INVALID_AGENT_RESPONSE',
    make: () => {
      const list = () => {
        throw new A2AError('INVALID_AGENT_RESPONSE', 'What is stored cannot be shown');
      };
      const { peer } = startServer(
        agentOf((task) => task.text),
        { store: storeWith(() => ({ list })) },
      );
      return peer.error('ListTasks');
    },
  },
  {
    name: 'ExtendedAgentCardNotConfiguredError',
    code: -32007,
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    make: () => startServer(agentOf((task) => task.text, { extendedCard: true })).peer.error('GetExtendedAgentCard'),
  },
  {
    name: 'ExtensionSupportRequiredError',
    code: -32008,
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    make: () => {
      const extensions = [{ uri: 'urn:x:needed', required: true }];
      return startServer(agentOf((task) => task.text, { extensions })).peer.error('SendMessage', sendParams('hello'));
    },
  },
  {
    name: 'VersionNotSupportedError',
    code: -32009,
    reason: 'VERSION_NOT_SUPPORTED',
    make: () => echo().error('SendMessage', sendParams('hello'), { 'a2a-version': '99.0' }),
  },
];

it.each(
  MISTAKES,
)('$name is $code [rule:errors.jsonrpc-codes] [rule:errors.info-jsonrpc] [rule:jsonrpc.data-array] [seed:S2.5]', async ({
  code,
  reason,
  make,
}) => {
  const error = await make();
  expect(error.code).toBe(code);
  expect(error.message).toEqual(expect.stringMatching(/\S/));
  expect(Array.isArray(error.data)).toBe(true);
  const infos = error.data.filter((detail: Wire) => detail['@type'] === `${TYPE}ErrorInfo`);
  expect(infos).toHaveLength(1);
  expect(infos[0]).toMatchObject({ reason, domain: 'a2a-protocol.org' });
  expect(violationsOfV1('ErrorInfo', infos[0])).toEqual([]);
});

it('every error has a code and a text, and every detail its type [rule:errors.code-message]', async () => {
  const { peer } = startServer(
    agentOf((task) => task.text),
    { anonymous: 'private', limits: { bodyBytes: 5000 } },
  );
  const { id } = await peer.send('hello');
  const errors: Wire[] = await Promise.all(MISTAKES.map((mistake) => mistake.make()));
  const calls: [string, Wire][] = [
    ['GetTask', {}],
    ['SendMessage', { message: { parts: [{}] } }],
    ['SendMessage', sendParams('more', { taskId: id })],
    ['SendMessage', sendParams('hello', { metadata: { skillId: 'juggling' } })],
    ['ListTasks', { pageSize: 0 }],
    ['ListTasks', {}],
    ['NoSuchMethod', {}],
  ];
  for (const [method, params] of calls) errors.push(await peer.error(method, params));
  for (const body of ['{', '[]', '{}']) errors.push(((await (await peer.post(body)).json()) as Wire).error);
  errors.push(((await (await peer.request('SendMessage', sendParams('x'.repeat(9000)))).json()) as Wire).error);
  errors.push(((await (await peer.raw('/nowhere')).json()) as Wire).error);
  for (const error of errors) {
    expect(Number.isInteger(error.code), JSON.stringify(error)).toBe(true);
    expect(error.message).toEqual(expect.stringMatching(/\S/));
    for (const detail of error.data ?? []) {
      expect(detail['@type']).toMatch(/^type\.googleapis\.com\/google\.rpc\.\w+$/);
      expect(violationsOfV1(detail['@type'].slice(TYPE.length), detail)).toEqual([]);
    }
  }
});

it('an internal error says nothing of its cause [rule:errors.code-message]', async () => {
  const list = () => {
    throw new Error('connection to db.internal:5432 refused');
  };
  const { peer, logged } = startServer(
    agentOf((task) => task.text),
    { store: storeWith(() => ({ list })) },
  );
  const error = await peer.error('ListTasks');
  expect(error.code).toBe(-32603);
  expect(JSON.stringify(error)).not.toContain('db.internal');
  expect(logged).toHaveLength(1);
});

it.each<[string, Wire, readonly string[]]>([
  ['GetTask', {}, ['id']],
  ['CancelTask', { id: 5 }, ['id']],
  ['GetTask', { id: 'x', historyLength: -1 }, ['historyLength']],
  ['ListTasks', { pageSize: 101, status: 'DONE' }, ['pageSize', 'status']],
  ['SendMessage', {}, ['message']],
  ['SendMessage', { message: {} }, ['message.messageId', 'message.role', 'message.parts']],
  ['SendMessage', sendParams('', { parts: [] }), ['message.parts']],
  ['SendMessage', sendParams('', { parts: [{ text: 'a' }, {}] }), ['message.parts[1]']],
  ['SendMessage', sendParams('x', {}, { historyLength: 1.5 }), ['configuration.historyLength']],
  ['SendMessage', sendParams('x', { metadata: { skillId: 'juggling' } }), ['message.metadata.skillId']],
  ['SendStreamingMessage', sendParams('x', { role: 'user' }), ['message.role']],
])('%s with %j names the fields [rule:errors.fields]', async (method, params, fields) => {
  const error = await echo().error(method, params);
  expect(error.code).toBe(-32602);
  const details = error.data.filter((detail: Wire) => detail['@type'] === `${TYPE}BadRequest`);
  expect(details).toHaveLength(1);
  expect(violationsOfV1('BadRequest', details[0])).toEqual([]);
  const named: string[] = details[0].fieldViolations.map((violation: Wire) => violation.field);
  expect(new Set(named)).toEqual(new Set(fields));
});

describe('invalid input', () => {
  const required = { extensions: [{ uri: 'urn:x:needed', required: true }] };

  it.each<[string, Wire, Record<string, string>]>([
    ['no role', { message: { messageId: 'm', parts: [{ text: 'x' }] } }, {}],
    ['no parts', sendParams('', { parts: [] }), {}],
    ['a broken part after a good one', sendParams('', { parts: [{ text: 'x' }, { raw: '*' }] }), {}],
    ['a broken configuration', sendParams('x', {}, { historyLength: -1 }), {}],
    ['a skill that there is not', sendParams('x', { metadata: { skillId: 'juggling' } }), {}],
    ['a media type that is not taken', sendParams('', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] }), {}],
    ['a webhook that is none', sendParams('x', {}, { taskPushNotificationConfig: { url: 'ftp://example.com' } }), {}],
    ['an unknown task', sendParams('x', { taskId: 'unknown' }), {}],
    ['an unknown tenant', { ...sendParams('x'), tenant: 'nobody' }, {}],
    ['a missing extension', sendParams('x'), { 'a2a-extensions': '' }],
    ['another version', sendParams('x'), { 'a2a-version': '9.0' }],
  ])('starts nothing: %s [rule:errors.validate-first]', async (_, params, more) => {
    let runs = 0;
    const { peer, server } = startServer(
      agentOf(() => {
        runs += 1;
        return 'ran';
      }, required),
    );
    const headers = { 'a2a-extensions': 'urn:x:needed', ...more };
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      for (const key of ['', 'key-1']) {
        await peer.error(method, params, key === '' ? headers : { ...headers, 'idempotency-key': key });
      }
    }
    expect(runs).toBe(0);
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    // The key is still free for the request that is right.
    const right = { ...headers, 'a2a-extensions': 'urn:x:needed', 'a2a-version': '1.0', 'idempotency-key': 'key-1' };
    expect((await peer.send('x', {}, undefined, right)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('leaves the task that it is about as it was [rule:errors.validate-first]', async () => {
    const { peer } = startServer(agentOf(() => inputRequired('Yes?')));
    const before = await peer.send('hello', { contextId: 'c-1' });
    const stream = await peer.open('SubscribeToTask', { id: before.id });
    const snapshot = await stream.next();
    for (const message of [
      { contextId: 'c-2' },
      { parts: [{}] },
      { role: 'ROLE_UNSPECIFIED' },
      { parts: [{ url: 'https://x', mediaType: 'video/mp4' }] },
      { metadata: { skillId: 'juggling' } },
    ]) {
      for (const method of ['SendMessage', 'SendStreamingMessage']) {
        await peer.error(method, sendParams('x', { taskId: before.id, ...message }));
      }
    }
    for (const params of [{ id: '' }, { id: 7 }, { id: before.id, metadata: 'because' }]) {
      expect((await peer.error('CancelTask', params)).code).toBe(-32602);
    }
    expect(await peer.call('GetTask', { id: before.id })).toEqual(before);
    await peer.call('CancelTask', { id: before.id });
    const [next, ...more] = await stream.rest();
    expect(next?.id).toBe((snapshot?.id ?? 0) + 1);
    expect(next?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
    expect(more).toEqual([]);
  });
});
