import { A2AError, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { detailsOf, fieldsOf, type RestError, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

type Options = Partial<A2AServerOptions>;

/** Names of gRPC codes that errors of requests can have. */
const GRPC_NAMES: readonly string[] = [
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'UNAUTHENTICATED',
];

interface Mistake {
  readonly reason: string;
  /** HTTP status and gRPC name, in 1.0.1 and in 1.0.0. */
  readonly newer: readonly [number, string];
  readonly older: readonly [number, string];
  readonly make: (options: Options) => Promise<RestError>;
}

const echo = (options: Options, more: Parameters<typeof agentOf>[1] = {}) =>
  startRest(
    agentOf((task) => task.text, more),
    options,
  ).rest;

const IMAGE = sendParams('', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] });

const MISTAKES: readonly Mistake[] = [
  {
    reason: 'TASK_NOT_FOUND',
    newer: [404, 'NOT_FOUND'],
    older: [404, 'NOT_FOUND'],
    make: (options) => echo(options).error('GET', '/tasks/unknown'),
  },
  {
    reason: 'TASK_NOT_CANCELABLE',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [409, 'FAILED_PRECONDITION'],
    make: async (options) => {
      const rest = echo(options);
      return rest.error('POST', `/tasks/${(await rest.send('hello')).id}:cancel`);
    },
  },
  {
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [400, 'UNIMPLEMENTED'],
    make: (options) => echo({ ...options, push: false }).error('GET', '/tasks/unknown/pushNotificationConfigs'),
  },
  {
    reason: 'UNSUPPORTED_OPERATION',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [400, 'UNIMPLEMENTED'],
    make: async (options) => {
      const rest = echo(options);
      return rest.error('POST', `/tasks/${(await rest.send('hello')).id}:subscribe`);
    },
  },
  {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    newer: [400, 'INVALID_ARGUMENT'],
    older: [415, 'INVALID_ARGUMENT'],
    make: (options) => echo(options).error('POST', '/message:send', IMAGE),
  },
  {
    reason: 'INVALID_AGENT_RESPONSE',
    newer: [500, 'INTERNAL'],
    older: [502, 'INTERNAL'],
    make: (options) => {
      const list = () => {
        throw new A2AError('INVALID_AGENT_RESPONSE', 'What is stored cannot be shown');
      };
      return echo({ ...options, store: storeWith(() => ({ list })) }).error('GET', '/tasks');
    },
  },
  {
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [400, 'FAILED_PRECONDITION'],
    make: (options) => echo(options, { extendedCard: true }).error('GET', '/extendedAgentCard'),
  },
  {
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [400, 'FAILED_PRECONDITION'],
    make: (options) => {
      const extensions = [{ uri: 'urn:x:needed', required: true }];
      return echo(options, { extensions }).error('POST', '/message:send', sendParams('hello'));
    },
  },
  {
    reason: 'VERSION_NOT_SUPPORTED',
    newer: [400, 'FAILED_PRECONDITION'],
    older: [400, 'UNIMPLEMENTED'],
    make: (options) => echo(options).error('GET', '/tasks', undefined, { 'a2a-version': '99.0' }),
  },
];

function expectA2AError({ status, error }: RestError, [http, grpc]: readonly [number, string], reason: string): void {
  expect([status, error.code, error.status]).toEqual([http, http, grpc]);
  const infos = detailsOf(error, 'ErrorInfo');
  expect(infos).toHaveLength(1);
  expect(infos[0]).toMatchObject({ reason, domain: 'a2a-protocol.org' });
  expect(violationsOfV1('ErrorInfo', infos[0])).toEqual([]);
}

describe('the error', () => {
  it.each(
    MISTAKES,
  )('$reason has the status of 1.0.1 [rule:errors.http-status] [rule:errors.info] [rule:rest.error-body]', async (mistake) => {
    expectA2AError(await mistake.make({}), mistake.newer, mistake.reason);
    expectA2AError(await mistake.make({ errorTable: '1.0.1' }), mistake.newer, mistake.reason);
  });

  it.each(
    MISTAKES,
  )('$reason has the status of 1.0.0 where that is set [rule:errors.profile-100] [rule:errors.info]', async (mistake) => {
    expectA2AError(await mistake.make({ errorTable: '1.0.0' }), mistake.older, mistake.reason);
  });

  it.each<'1.0.0' | '1.0.1'>([
    '1.0.0',
    '1.0.1',
  ])('of a wrong content type has the status of the table: %s [rule:rest.type-other] [rule:errors.profile-100]', async (errorTable) => {
    const headers = { 'content-type': 'text/plain' };
    const refused = await echo({ errorTable }).error('POST', '/message:send', 'hello', headers);
    const status = errorTable === '1.0.0' ? 415 : 400;
    expectA2AError(refused, [status, 'INVALID_ARGUMENT'], 'CONTENT_TYPE_NOT_SUPPORTED');
  });
});

describe('the body of an error', () => {
  const closed = (error: Wire) => Object.keys(error).sort();

  it('has exactly the four members, every detail with its type [rule:rest.error-body] [rule:errors.code-message]', async () => {
    const rest = echo({ anonymous: 'private' }, { extendedCard: { description: 'More' } });
    const { id } = await rest.send('hello');
    const refused = await Promise.all([
      ...MISTAKES.map((mistake) => mistake.make({})),
      rest.error('GET', '/tasks'),
      rest.error('GET', '/extendedAgentCard'),
      rest.error('GET', '/tasks?pageSize=0'),
      rest.error('GET', '/nowhere'),
      rest.error('PUT', '/tasks'),
      rest.error('POST', '/message:send', '{'),
      rest.error('POST', '/message:send', { message: { parts: [{}] } }),
      rest.error('POST', '/message:send', sendParams('more', { taskId: id })),
      rest.error('POST', '/message:send', sendParams('hello', { metadata: { skillId: 'juggling' } })),
      rest.error('POST', '/message:stream', sendParams('more', { taskId: 'unknown' })),
      rest.at('/a2a/agents/nobody').error('GET', '/tasks'),
    ]);
    for (const { status, headers, error } of refused) {
      expect(closed(error), JSON.stringify(error)).toEqual(['code', 'details', 'message', 'status']);
      expect(error.code).toBe(status);
      expect(GRPC_NAMES).toContain(error.status);
      expect(error.message).toMatch(/\S/);
      expect(headers.get('content-type')).toBe('application/json');
      for (const detail of error.details) {
        const [, type = ''] = /^type\.googleapis\.com\/google\.rpc\.(\w+)$/.exec(detail['@type']) ?? [];
        expect(violationsOfV1(type, detail)).toEqual([]);
      }
    }
  });

  it('says for whom it is, by the status [rule:rest.error-body]', async () => {
    const rest = echo({ anonymous: 'private' }, { extendedCard: { description: 'More' } });
    const statuses = async (verb: string, route: string, body?: unknown) => {
      const { status, error } = await rest.error(verb, route, body);
      return [status, error.status];
    };
    expect(await statuses('GET', '/tasks')).toEqual([403, 'PERMISSION_DENIED']);
    expect(await statuses('GET', '/extendedAgentCard')).toEqual([401, 'UNAUTHENTICATED']);
    expect(await statuses('POST', '/message:send', '{')).toEqual([400, 'INVALID_ARGUMENT']);
    expect(await statuses('GET', '/nowhere')).toEqual([404, 'UNIMPLEMENTED']);
    expect(await statuses('PUT', '/tasks')).toEqual([405, 'UNIMPLEMENTED']);
  });

  it('tells facts in its metadata, as text [rule:errors.info]', async () => {
    const rest = echo({});
    const unknown = await rest.error('GET', '/tasks/a%2Fb');
    expect(detailsOf(unknown.error, 'ErrorInfo')[0].metadata).toEqual({ taskId: 'a/b' });
    const image = await rest.error('POST', '/message:send', IMAGE);
    expect(detailsOf(image.error, 'ErrorInfo')[0].metadata.mediaType).toBe('image/png');
  });

  it('names every field that is wrong [rule:errors.fields] [rule:rest.error-body]', async () => {
    const rest = echo({});
    const cases: [string, Wire, string[]][] = [
      ['/message:send', {}, ['message']],
      ['/message:send', { message: {} }, ['message.messageId', 'message.parts', 'message.role']],
      ['/message:stream', sendParams('', { parts: [{ text: 'a' }, {}] }), ['message.parts[1]']],
      ['/message:send', sendParams('x', {}, { historyLength: -1 }), ['configuration.historyLength']],
      ['/message:send', sendParams('x', { metadata: { skillId: 'juggling' } }), ['message.metadata.skillId']],
    ];
    for (const [route, body, fields] of cases) {
      const { status, error } = await rest.error('POST', route, body);
      expect([status, error.status, fieldsOf(error)]).toEqual([400, 'INVALID_ARGUMENT', fields]);
      expect(detailsOf(error, 'BadRequest')).toHaveLength(1);
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
  });

  it('of a failure inside says nothing of its cause [rule:errors.code-message]', async () => {
    const list = () => {
      throw new Error('connection to db.internal:5432 refused');
    };
    const { rest, logged } = startRest(
      agentOf((task) => task.text),
      { store: storeWith(() => ({ list })) },
    );
    const { status, error } = await rest.error('GET', '/tasks');
    expect([status, error.code, error.status]).toEqual([500, 500, 'INTERNAL']);
    expect(JSON.stringify(error)).not.toContain('db.internal');
    expect(logged).toHaveLength(1);
  });
});

describe('push operations', () => {
  it.each([
    ['POST', '', { url: 'https://hooks.example/1' }],
    ['GET', '', undefined],
    ['GET', '/cfg-1', undefined],
    ['DELETE', '/cfg-1', undefined],
  ])('%s …/pushNotificationConfigs%s are refused while push is off [rule:push.capability-off]', async (verb, tail, body) => {
    const rest = echo({ push: false });
    const { id } = await rest.send('hello');
    for (const task of [id, 'unknown']) {
      const { status, error } = await rest.error(verb, `/tasks/${task}/pushNotificationConfigs${tail}`, body);
      expect([status, reasonOf(error)]).toEqual([400, 'PUSH_NOTIFICATION_NOT_SUPPORTED']);
    }
  });
});
