import { A2AClient, type ClientInterceptor } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentWith, cardOf, fetchOf, jsonOf } from '../support/recorded.ts';

const HOME = 'https://agent.example';
const ELSEWHERE = 'https://elsewhere.example';
const SECRET = 'Bearer secret';

const adding: ClientInterceptor = (call, next) =>
  next({ ...call, headers: { ...call.headers, authorization: SECRET, 'x-trace': 'mine' } });

const REST_CARD = cardOf({
  supportedInterfaces: [{ url: `${HOME}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
});

describe('headers of an interceptor', () => {
  it.for([
    301, 302, 303, 307, 308,
  ])('do not go to another origin after a %d [rule:security.client-credentials]', async (status) => {
    const { fetch, sent } = fetchOf((request) => {
      const url = new URL(request.url);
      if (url.pathname.startsWith('/.well-known/')) return jsonOf(REST_CARD);
      if (url.origin === ELSEWHERE) return jsonOf({ id: 't', status: { state: 'TASK_STATE_COMPLETED' } });
      return new Response(null, { status, headers: { location: `${ELSEWHERE}/tasks/t` } });
    });
    const agent = await A2AClient.connect(HOME, { fetch, interceptors: [adding] });
    await agent.getTask('t');
    expect(sent.at(-2)?.headers.get('authorization')).toBe(SECRET);
    expect(sent.at(-1)?.url.origin).toBe(ELSEWHERE);
    expect([...(sent.at(-1)?.headers.keys() ?? [])].sort()).toEqual(['a2a-version', 'accept']);
  });

  it('do not go where a card leads away [rule:security.client-credentials]', async () => {
    const card = cardOf({
      supportedInterfaces: [{ url: `${ELSEWHERE}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    const { fetch, sent } = fetchOf(agentWith(card));
    const agent = await A2AClient.connect(HOME, { fetch, interceptors: [adding] });
    await agent.sendMessage('hi');
    expect(sent.at(-1)?.headers.get('authorization')).toBeNull();
    const trusting = await A2AClient.connect(HOME, { fetch, interceptors: [adding], allowedOrigins: [ELSEWHERE] });
    await trusting.sendMessage('hi');
    expect(sent.at(-1)?.headers.get('authorization')).toBe(SECRET);
  });
});

it('never deletes something elsewhere because of a redirect', async () => {
  const { fetch, sent } = fetchOf((request) =>
    new URL(request.url).pathname.startsWith('/.well-known/')
      ? jsonOf(REST_CARD)
      : new Response(null, { status: 307, headers: { location: `${ELSEWHERE}/x` } }),
  );
  const agent = await A2AClient.connect(HOME, { fetch });
  await expect(agent.deletePushConfig('t', 'p')).rejects.toThrow('allowedOrigins');
  expect(sent.every(({ url }) => url.origin === HOME)).toBe(true);
});

it('does not repeat a password out of an address, and says what to do', () => {
  const make = () => new A2AClient('https://user:hunter2@agent.example');
  expect(make).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  expect(make).not.toThrow(/hunter2/);
});

it('says which of the allowed origins is none', () => {
  const make = () => new A2AClient(HOME, { allowedOrigins: ['api.example.com'] });
  expect(make).toThrow(/allowedOrigins: api\.example\.com/);
});
