import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExchangeRequest, ExchangeResponse } from '../../../src/bindings/exchange.ts';
import { ANONYMOUS } from '../../../src/model/call.ts';
import { A2AError, type A2AErrorCode } from '../../../src/model/errors/errors.ts';
import { DEFAULT_INPUT_LIMITS } from '../../../src/model/input-limits.ts';
import { OPERATOR_SCOPE } from '../../../src/server/auth/guard/operators.ts';
import { ServerCore } from '../../../src/server/core/core.ts';
import type { Asked } from '../../../src/server/http/asked.ts';
import { Pipeline } from '../../../src/server/http/pipeline.ts';
import type { Limiter } from '../../../src/server/limits/limiter.ts';
import { InternalErrors } from '../../../src/server/operator/internal-errors.ts';
import type { A2AServerOptions } from '../../../src/server/options.ts';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { agentOf } from '../../support/script.ts';

const STATUSES: Readonly<Record<number, A2AErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  429: 'OVERLOADED',
  503: 'UNAVAILABLE',
};

type Target = Pick<ExchangeRequest, 'method' | 'url' | 'headers' | 'body'>;

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
const OLDER = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'go' }] };

function rpc(url: string, method: string, message: unknown, headers: Readonly<Record<string, string>> = {}): Target {
  const body = { jsonrpc: '2.0', id: 'r-1', method, params: { message } };
  return { method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, body };
}

function rest(url: string, message: unknown, headers: Readonly<Record<string, string>> = {}): Target {
  return { method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, body: { message } };
}

const NUMBER: unknown = expect.any(Number);
const TEXT: unknown = expect.any(String);
const envelope = () => ({ jsonrpc: '2.0', id: 'r-1', error: { code: NUMBER, message: TEXT } });
const body = (status: number) => ({ error: { code: status, status: TEXT, message: TEXT } });

const infoOf = (status: number) => ({ reason: STATUSES[status], domain: 'a2a-protocol.org' });

/** Errors of JSON-RPC 0.3 have no data, those of JAF an object. */
const HAS_NO_INFO = ['JSON-RPC 0.3', 'JAF'];

const NUMBERS_OF_JAF: Readonly<Record<number, number>> = {
  401: -32004,
  403: -32005,
  404: -32000,
  405: -32600,
  429: -32007,
  503: -32002,
};

interface Refused {
  readonly target: Target;
  /** The body of the refusal with a status. */
  readonly shapeOf: (status: number) => object;
  /** The same for an agent that is not there. */
  readonly nobody: string;
}

const TARGETS: Readonly<Record<string, Refused>> = {
  'JSON-RPC 1.0': {
    target: rpc('/a2a', 'SendMessage', MESSAGE, { 'a2a-version': '1.0' }),
    shapeOf: envelope,
    nobody: '/a2a/agents/nobody',
  },
  'JSON-RPC 0.3': { target: rpc('/a2a', 'message/send', OLDER), shapeOf: envelope, nobody: '/a2a/agents/nobody' },
  JAF: {
    target: rpc('/jaf', 'message/send', OLDER),
    shapeOf: (status) => ({
      jsonrpc: '2.0',
      id: 'r-1',
      error: { code: NUMBERS_OF_JAF[status], data: { errorType: TEXT } },
    }),
    nobody: '/jaf/agents/nobody',
  },
  'REST 1.0': {
    target: rest('/a2a/message:send', MESSAGE, { 'a2a-version': '1.0' }),
    shapeOf: body,
    nobody: '/a2a/agents/nobody/message:send',
  },
  'REST 0.3': {
    target: rest('/a2a/v1/message:send', OLDER),
    shapeOf: () => ({ code: NUMBER, message: TEXT }),
    nobody: '/a2a/agents/nobody/v1/message:send',
  },
  card: {
    target: { method: 'GET', url: '/.well-known/agent-card.json', headers: {}, body: undefined },
    shapeOf: body,
    nobody: '/a2a/agents/nobody/card',
  },
};

const LOG = { error: () => undefined, warn: () => undefined };

function coreOf(options: Partial<A2AServerOptions> = {}, limiters: readonly Limiter[] = []): ServerCore {
  const mounts = [{ path: '/jaf', dialect: 'jaf' }] as const;
  const core = new ServerCore(
    { agents: [agentOf(() => 'done')], mounts, cors: true, log: LOG, ...options },
    { limiters },
  );
  onTestFinished(() => core.close());
  return core;
}

function ask(core: ServerCore, target: Target): Promise<ExchangeResponse> {
  const headers = { host: 'localhost', origin: 'https://app.example.com', ...target.headers };
  return core.handle({ ...target, headers, peer: {} });
}

describe.each(Object.entries(TARGETS))('a refusal of %s', (name, { target, shapeOf, nobody }) => {
  function expectRefusal(response: ExchangeResponse, status: number, challenge = 'Bearer'): void {
    // Clients of JAF look for it in the body (S1.6).
    expect(response.status).toBe(name === 'JAF' && status === 404 ? 200 : status);
    const told = JSON.parse(response.body as string);
    expect(told).toMatchObject(shapeOf(status));
    const details = told.error?.details ?? told.error?.data;
    if (Array.isArray(details)) expect(details).toContainEqual(expect.objectContaining(infoOf(status)));
    expect(Array.isArray(details)).toBe(!HAS_NO_INFO.includes(name));
    expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(response.headers['www-authenticate']).toBe(status === 401 ? challenge : undefined);
  }

  it.each(Object.keys(STATUSES).map(Number))('has its shape where a stage of the pipeline says %i', async (status) => {
    const error = new A2AError(STATUSES[status] as A2AErrorCode, 'Not now', { metadata: { agentName: 'nobody' } });
    const refuse: Limiter = () => Promise.reject(error);
    expectRefusal(await ask(coreOf({}, [refuse]), target), status);
  });

  it('has its shape where the credentials are missing, but for cards', async () => {
    const core = coreOf({ auth: { type: 'bearer', validate: () => true } });
    const response = await ask(core, target);
    if (name === 'card') expect(response.status).toBe(200);
    else expectRefusal(response, 401, 'Bearer realm="a2a"');
  });

  it('has its shape where the agent is not there', async () => {
    expectRefusal(await ask(coreOf(), { ...target, url: nobody }), 404);
  });

  it('has its shape and the right methods where the method is wrong', async () => {
    const response = await ask(coreOf(), { ...target, method: 'PUT' });
    expectRefusal(response, 405);
    expect(response.headers.allow).toMatch(name === 'card' ? /^GET, HEAD$/ : /POST$/);
  });

  it('has its shape where the store cannot be opened, but for cards', async () => {
    const store = withStore(memory(), { open: () => Promise.reject(new Error('no disk')) });
    const response = await ask(coreOf({ store }), target);
    if (name === 'card') expect(response.status).toBe(200);
    else expectRefusal(response, 503);
  });
});

describe('a refusal of a request that names its version', () => {
  const UNREAD: readonly (readonly [string, Readonly<Record<string, string>>, string, number])[] = [
    ['of another type', { 'content-type': 'text/plain' }, '{}', 415],
    ['that is no JSON', { 'content-type': 'application/json' }, '{', 200],
    ['that is no JSON-RPC', { 'content-type': 'application/json' }, '{}', 200],
  ];

  it.each(UNREAD)('has the shape of that version for a body %s', async (_, type, body, status) => {
    const ways: readonly [string, Readonly<Record<string, string>>, string][] = [
      ['/a2a', { 'a2a-version': '0.3' }, '0.3'],
      ['/a2a', { 'a2a-version': '0.3.0', 'x-a2a-client': 'jaf' }, '0.3'],
      ['/a2a?A2A-Version=0.3', {}, '0.3'],
      ['/a2a?A2A-Version=0.3', { 'a2a-version': '1.0' }, '1.0'],
      ['/a2a', { 'a2a-version': '2.5' }, '1.0'],
    ];
    for (const [url, named, version] of ways) {
      const response = await ask(coreOf(), { method: 'POST', url, headers: { ...type, ...named }, body });
      expect([response.status, response.headers['a2a-protocol-version']]).toEqual([status, version]);
      const { error } = JSON.parse(response.body as string);
      if (version === '0.3') expect(error).not.toHaveProperty('data');
      else if (named['a2a-version'] === '1.0')
        expect(error.data).toContainEqual(expect.objectContaining({ reason: TEXT, domain: 'a2a-protocol.org' }));
    }
  });

  it('has no data where nothing tells a version, which clients of 0.3 may not expect', async () => {
    for (const body of ['{', '{}', '[]']) {
      const headers = { 'content-type': 'application/json' };
      const response = await ask(coreOf(), { method: 'POST', url: '/a2a', headers, body });
      expect(Object.keys(JSON.parse(response.body as string).error)).toEqual(['code', 'message']);
    }
  });
});

describe('a refusal of a version over HTTP+JSON', () => {
  const OF_03 = { error: { code: 400 }, type: 'VersionNotSupportedError', code: -32009, message: TEXT };
  const OF_10 = { error: { code: 400, status: 'FAILED_PRECONDITION', message: TEXT } };
  const mounts: A2AServerOptions['mounts'] = [
    { path: '/old', dialect: '0.3' },
    { path: '/new', dialect: '1.0' },
  ];

  it.each([
    ['/a2a/v1/message:send', '2.5', '0.3', OF_03],
    ['/v1/message:send', '2.5', '0.3', { error: { code: -32009, message: TEXT } }],
    ['/old/v1/message:send', '1.0', '0.3', OF_03],
    ['/old/v1/message:send', '2.5', '0.3', OF_03],
    ['/a2a/message:send', '2.5', '1.0', OF_10],
    ['/new/message:send', '0.3', '1.0', OF_10],
  ])('has the shape of its address: %s with %s', async (url, requested, version, shape) => {
    for (const limiters of [[], [() => Promise.reject(new A2AError('OVERLOADED', 'Not now'))]]) {
      const { headers, body } = rest(url, OLDER, { 'a2a-version': requested });
      const response = await ask(coreOf({ mounts }, limiters), { method: 'POST', url, headers, body });
      expect(response.headers['a2a-protocol-version']).toBe(version);
      const told = JSON.parse(response.body as string);
      if (limiters.length === 0) expect(told).toMatchObject(shape);
      expect(typeof told.code).toBe(url.startsWith('/v1') || version === '1.0' ? 'undefined' : 'number');
    }
  });
});

describe('the stages of the pipeline', () => {
  it('ask the limits after the credentials and before the store, each in order', async () => {
    const seen: string[] = [];
    const noted =
      (name: string): Limiter =>
      ({ caller }) => {
        seen.push(`${name} of "${caller.subject}"`);
        return undefined;
      };
    const auth = { type: 'bearer', validate: () => seen.push('credentials') > 0 } as const;
    const store = withStore(memory(), {
      open: () => {
        seen.push('store');
      },
    });
    const core = coreOf({ auth, store }, [noted('first'), noted('second')]);
    const { target } = TARGETS['JSON-RPC 1.0'] as Refused;
    await ask(core, { ...target, headers: { ...target.headers, authorization: 'Bearer x' } });
    // Where a check only says yes, the subject is the digest of the credential.
    const subject = createHash('sha256').update('x').digest('hex');
    expect(seen).toEqual(['credentials', `first of "${subject}"`, `second of "${subject}"`, 'store']);
  });

  it.each([
    ['nobody in particular', ANONYMOUS, 'UNAUTHENTICATED'],
    ['a caller', { ...ANONYMOUS, subject: 'alice' }, 'PERMISSION_DENIED'],
    ['an operator', { ...ANONYMOUS, subject: 'alice', scopes: [OPERATOR_SCOPE] }, undefined],
  ])('let %s through to what is for operators, or not', async (_, caller, refused) => {
    const handlers = {
      refuse: (_asked: Asked, error: A2AError) => ({ status: 400, headers: {}, body: error.code }),
      handle: () => ({ status: 200, headers: {}, body: undefined }),
      wantsBody: () => false,
      limitsOf: () => DEFAULT_INPUT_LIMITS,
    };
    const pipeline = new Pipeline({
      cors: undefined,
      door: { refusalOf: () => undefined },
      responses: { pace: () => undefined, paceBytes: () => undefined },
      route: (request) => ({
        request,
        path: '/operator',
        query: new URLSearchParams(),
        route: { kind: 'welcome' },
        access: 'operator',
        caller,
      }),
      guard: undefined,
      limiters: [],
      opening: { isOpen: true, whenOpen: () => Promise.resolve() },
      handlers,
      log: LOG,
      failures: new InternalErrors(LOG, () => 'id'),
    });
    const { body: code } = await pipeline.handle({ method: 'GET', url: '/operator', headers: {}, body: '', peer: {} });
    expect(code).toBe(refused);
  });
});
