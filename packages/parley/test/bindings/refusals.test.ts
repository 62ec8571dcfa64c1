import { request as httpRequest } from 'node:http';
import { A2AServer, type A2AServerOptions, defineAgent } from 'parley-a2a';
import { forbidden } from 'parley-a2a/auth';
import type { ExchangeResponse, ServerBinding } from 'parley-a2a/ports';
import { readJson, refusalStatusOf } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished } from 'vitest';
import { A2AError } from '../../src/model/errors/errors.ts';

const BASE = 'http://agents.test';
const PAGE = 'https://page.example';

/** Writes an error as a line of text, which is no JSON; `tells`: the server is told the error beside it. */
function texts(tells: boolean): ServerBinding {
  const refusal = (thrown: unknown): ExchangeResponse => {
    const error = A2AError.from(thrown);
    const status = refusalStatusOf(error) ?? 200;
    const response = { status, headers: { 'content-type': 'text/plain' }, body: `ERROR ${error.code}\n` };
    return tells ? { ...response, error } : response;
  };
  return {
    protocolBinding: 'urn:example:texts',
    path: '/texts',
    methods: ['POST'],
    serve: () => ({
      async handle({ newCall, service, request, limits }) {
        try {
          const id = readJson(request, limits) as string;
          const call = newCall({ operation: 'getTask', binding: 'urn:example:texts', dialect: 'v1_0' });
          service.admit(call);
          await service.unary(call, { tenant: '', id });
          return { status: 200, headers: {}, body: 'done' };
        } catch (error) {
          return refusal(error);
        }
      },
      refuse: (_, error) => refusal(error),
    }),
  };
}

const agent = defineAgent({ name: 'echo', description: 'Repeats', version: '1.0.0', run: ({ text }) => text });

function serverOf(options: Partial<A2AServerOptions>): A2AServer {
  return new A2AServer({ agents: [agent], url: BASE, cors: true, bindings: [texts(true)], ...options });
}

function post(server: A2AServer, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const init = { method: 'POST', headers: { origin: PAGE, 'content-type': 'application/x-texts', ...headers } };
  return server.fetch(new Request(`${BASE}/a2a/texts`, { ...init, body: '"none"' }));
}

describe('a refusal of a binding of our own', () => {
  const auth = { type: 'bearer', validate: (token: string) => token === 'yes' } as const;
  const known = { authorization: 'Bearer yes' };

  it.each([true, false])('may be a 403 whose body is no JSON (the server is told the error: %s)', async (tells) => {
    const denied = serverOf({ auth, bindings: [texts(tells)], authorize: () => Promise.reject(forbidden('read')) });
    const response = await post(denied, known);
    expect([response.status, await response.text()]).toEqual([403, 'ERROR PERMISSION_DENIED\n']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const challenge = response.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge?.includes('scope="read"')).toBe(tells);
  });

  it.each([
    [429, 'OVERLOADED'],
    [503, 'UNAVAILABLE'],
  ] as const)('says with %i when to come back, as exactly as the server is told', async (status, code) => {
    const busy = new A2AError(code, 'Not now', { retryAfter: 2500 });
    const waits = async (options: Partial<A2AServerOptions>) => {
      const response = await post(serverOf(options));
      return [response.status, response.headers.get('retry-after')];
    };
    const authorize = () => Promise.reject(busy);
    expect(await waits({ authorize })).toEqual([status, '3']);
    expect(await waits({ authorize, bindings: [texts(false)] })).toEqual([status, '1']);
    // A stage of the server knows its error, whatever the binding makes of it.
    const perCaller = () => {
      throw busy;
    };
    const limits = { perCaller };
    expect(await waits({ limits, bindings: [texts(false)] })).toEqual([status, '3']);
  });

  it.each(['handle', 'refuse'] as const)('is an internal error where its %s throws', async (name) => {
    const logged: unknown[] = [];
    const log = { error: (_: string, { error }: { error?: unknown } = {}) => logged.push(error), warn: () => {} };
    const cause = new Error('secret');
    const broken = () => {
      throw cause;
    };
    const own: ServerBinding = {
      ...texts(true),
      serve: (options) => ({
        ...texts(true).serve(options),
        handle: broken,
        ...(name === 'refuse' && { refuse: broken }),
      }),
    };
    const response = await post(serverOf({ log, bindings: [own] }));
    const text = await response.text();
    if (name === 'handle') expect([response.status, text]).toEqual([200, 'ERROR INTERNAL\n']);
    else expect([response.status, JSON.parse(text)]).toMatchObject([500, { error: { code: 500, status: 'INTERNAL' } }]);
    expect(text).not.toContain('secret');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(logged).toEqual(name === 'handle' ? [cause] : [cause, cause]);
  });

  it.each([
    'text/plain',
    'Text/Plain; charset=utf-8',
    'multipart/form-data; boundary=x',
    '',
    'application/x-texts',
  ])('keeps out bodies that a page may send without asking first, and no others: %s', async (type) => {
    const server = serverOf({});
    const init = { method: 'POST', body: new TextEncoder().encode('"none"') };
    const answered = async (headers: Readonly<Record<string, string>>) => {
      const typed = { ...(type !== '' && { 'content-type': type }), ...headers };
      const response = await server.fetch(new Request(`${BASE}/a2a/texts`, { ...init, headers: typed }));
      return [response.status, await response.text()];
    };
    const done = [200, 'ERROR TASK_NOT_FOUND\n'];
    const refused = [415, 'ERROR CONTENT_TYPE_NOT_SUPPORTED\n'];
    const ofPages = type === 'application/x-texts' ? done : refused;
    expect(await answered({ origin: PAGE })).toEqual(ofPages);
    expect(await answered({ 'sec-fetch-site': 'cross-site' })).toEqual(ofPages);
    expect(await answered({})).toEqual(done);
  });

  it.each([
    ['a host that is not its own', 421, { host: 'evil.example' }],
    ['a page of another site', 403, { origin: PAGE, 'sec-fetch-site': 'cross-site' }],
    ['an encoding that it does not know', 415, { 'content-encoding': 'foo' }],
  ])('has the status of HTTP for %s', async (_, status, headers) => {
    const server = serverOf({ cors: false, hosts: ['agents.test'] });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const response = await sent(server, headers);
    expect(response.status).toBe(status);
    expect(response.body).toMatch(/^ERROR (INVALID_REQUEST|CONTENT_TYPE_NOT_SUPPORTED)\n$/);
  });

  it('has the status of HTTP for too many headers and for a body that is too slow', async () => {
    const server = serverOf({ limits: { bodyTimeout: 100 } });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`x-${index}`, 'x']));
    expect(await sent(server, many)).toMatchObject({ status: 431, body: 'ERROR INVALID_REQUEST\n' });
    expect(await sent(server, { 'content-length': '1000' })).toMatchObject({
      status: 408,
      body: 'ERROR UNAVAILABLE\n',
    });
    expect(refusalStatusOf('UNAVAILABLE')).toBe(503);
  });
});

/** A request over a socket, with headers that `fetch` does not let one set. */
function sent(
  server: A2AServer,
  headers: Readonly<Record<string, string>>,
): Promise<{ status?: number; body: string }> {
  const { port } = new URL(String(server.url));
  const type = { 'content-type': 'application/x-texts' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/a2a/texts', method: 'POST', headers: { ...type, ...headers } };
    const request = httpRequest(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    }).on('error', reject);
    if ('content-length' in headers) request.write('"');
    else request.end('"none"');
  });
}
