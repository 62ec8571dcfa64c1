import { A2AServer } from 'parley-a2a';
import { apiKeys, custom } from 'parley-a2a/auth';
import { a2aExpress } from 'parley-a2a/express';
import { a2aFastify } from 'parley-a2a/fastify';
import { a2aFetch } from 'parley-a2a/fetch';
import { a2aHono } from 'parley-a2a/hono';
import { a2aKoa } from 'parley-a2a/koa';
import { a2aNext } from 'parley-a2a/next';
import { a2aNode } from 'parley-a2a/node';
import type { CorsSetting } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { contractAgents } from './support/agents.ts';

const PAGE = 'https://app.example.com';
const CARD = 'http://localhost/.well-known/agent-card.json';

async function corsHeaders(cors: CorsSetting, { isPreflight = false } = {}): Promise<Record<string, string>> {
  const { server } = startServer(contractAgents, { cors });
  const asked = { 'access-control-request-method': 'POST' };
  const init = isPreflight ? { method: 'OPTIONS', headers: { origin: PAGE, ...asked } } : { headers: { origin: PAGE } };
  const { headers } = await server.fetch(new Request(CARD, init));
  const names = [...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary');
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}

describe('cors [seed:S1.12]', () => {
  const preflight = { isPreflight: true };

  it('lets any page call', async () => {
    for (const any of [true, '*', { origins: true }] as const) {
      expect(await corsHeaders(any)).toMatchObject({ 'access-control-allow-origin': '*', vary: 'A2A-Version, Host' });
    }
    expect(await corsHeaders(true, preflight)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers':
        'content-type, authorization, x-api-key, a2a-version, a2a-extensions, x-a2a-extensions, last-event-id, ' +
        'idempotency-key, if-none-match, if-modified-since, traceparent, tracestate, x-a2a-version, x-a2a-client, x-a2a-trace-id, ' +
        'x-a2a-priority, x-a2a-timeout, x-request-id, x-parley-debug, x-parley-files, parley-push-events, ' +
        'parley-push-snapshot',
      'access-control-max-age': '600',
    });
  });

  it('lets pages by name call, with credentials where that is wanted', async () => {
    expect(await corsHeaders(PAGE)).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers':
        'a2a-protocol-version, a2a-extensions, x-a2a-extensions, idempotent-replayed, retry-after, ratelimit, ratelimit-policy, ' +
        'x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-ratelimit-window, www-authenticate, allow, etag, x-parley-dialect, x-parley-files',
      vary: 'A2A-Version, Host, Origin',
    });
    const options = { origins: [PAGE, 'capacitor://localhost'], credentials: true, maxAge: 5 };
    expect(await corsHeaders(options, preflight)).toMatchObject({
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '5',
    });
    expect(await corsHeaders('https://other.example.com')).toEqual({ vary: 'A2A-Version, Host, Origin' });
    expect(await corsHeaders('https://other.example.com', preflight)).toEqual({ vary: 'Origin' });
    expect(await corsHeaders(false)).toEqual({ vary: 'A2A-Version, Host' });
  });

  it('lets pages send the header of API keys, and those that a setting names', async () => {
    const keys = { keys: [], in: { header: 'X-My-Key' } };
    const auth = [
      apiKeys(keys),
      custom(() => undefined, { scheme: { type: 'apiKey', in: 'header', name: 'No\nHeader' } }),
    ];
    const cors = { origins: PAGE, headers: ['X-Correlation-Id', 'authorization'] };
    const { server } = startServer(contractAgents, { cors, auth });
    const headers = { origin: PAGE, 'access-control-request-method': 'POST' };
    const response = await server.fetch(new Request('http://localhost/a2a', { method: 'OPTIONS', headers }));
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    expect(allowed.slice(-2)).toEqual(['x-my-key', 'x-correlation-id']);
    expect(new Set(allowed).size).toBe(allowed.length);
  });

  it.each([
    [5, 'cors must be true, an origin, a list of origins, or { origins }, not 5'],
    [{ origin: PAGE }, 'There is no option cors.origin; did you mean cors.origins?'],
    [[], 'cors names no origin'],
    ['https://app.example.com/', 'is not an origin; write "https://app.example.com"'],
    ['https://App.example.com:443', 'is not an origin; write "https://app.example.com"'],
    ['app.example.com', 'is not an origin, e.g.'],
    [[PAGE, '*'], 'write cors: true for any'],
    [[PAGE, 7], '7 is not an origin'],
    [{ origins: true, credentials: true }, 'needs the origins by name'],
    [{ origins: PAGE, headers: 'x-one' }, 'cors.headers must be a list of header names, not "x-one"'],
    [{ origins: PAGE, headers: ['x-one', '*'] }, 'cors.headers: "*" is not the name of a header'],
    [{ origins: PAGE, headers: ['x one'] }, 'cors.headers: "x one" is not the name of a header'],
    [{ origins: PAGE, maxAge: -1 }, 'cors.maxAge must be a number of seconds, not -1'],
  ])('refuses %j', (cors, problem) => {
    const options = { agents: contractAgents, cors: cors as CorsSetting };
    expect(() => new A2AServer(options)).toThrow(TypeError);
    expect(() => new A2AServer(options)).toThrow(problem);
  });
});

it('refuses what is no server', () => {
  for (const adapter of [a2aExpress, a2aFastify, a2aFetch, a2aHono, a2aKoa, a2aNext, a2aNode]) {
    expect(() => adapter({} as A2AServer)).toThrow(`${adapter.name} needs an A2AServer`);
    expect(() => adapter(undefined as unknown as A2AServer)).toThrow(TypeError);
  }
});

it('has one address for cards, whatever the requests say, where it is set', async () => {
  const { server } = startServer(contractAgents, { url: 'https://agents.example.com/place/', trustProxy: true });
  const request = new Request(CARD, { headers: { 'x-forwarded-host': 'other.example.com' } });
  const card = await (await server.fetch(request)).json();
  expect(card).toMatchObject({ url: 'https://agents.example.com/place/a2a' });
});
