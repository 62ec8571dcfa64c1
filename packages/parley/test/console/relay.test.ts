import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RelayedRequest, RelayedResponse, RelayRequest } from '../../src/server/operator/relay-api.ts';
import { agentOf, gate } from '../support/script.ts';

const echo = agentOf((task) => task.text, { name: 'echo' });
const quiet = { error: () => {}, warn: () => {} };
const received: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
let onStream: (response: ServerResponse) => void = () => {};

const outside = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ url: request.url, headers: request.headers, body });
  if (request.url === '/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    onStream(response);
  } else if (request.url === '/page') {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>alert(1)</script>');
  } else if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setImmediate(() => response.destroy());
  } else response.writeHead(418, { 'x-kind': 'teapot' }).end('short and stout');
}

const server = new A2AServer({ agents: [echo], console: true, log: quiet });
const guarded = new A2AServer({
  agents: [echo],
  console: true,
  auth: { type: 'bearer', validate: (token) => ({ subject: token, scopes: ['parley:operator'] }) },
  log: quiet,
});
let place = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  place = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  await server.listen({ port: 0 });
  await guarded.listen({ port: 0 });
});
afterAll(async () => {
  outside.closeAllConnections();
  outside.close();
  await Promise.all([server.close(), guarded.close()]);
});

const relay = (request: unknown, url = server.url, headers: Record<string, string> = {}) =>
  fetch(`${url}/a2a/operator/relay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'secret=1', ...headers },
    body: JSON.stringify(request),
  });

function inHeader<T>(response: Response, name: string): T {
  return JSON.parse(Buffer.from(response.headers.get(name) ?? '', 'base64url').toString()) as T;
}

describe('the relay', () => {
  it('brings a request to an outside agent, shows both heads as they were, and adds nothing of its own caller', async () => {
    const request: RelayRequest = {
      url: `${place}/a2a?x=1`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer theirs',
        connection: 'upgrade',
        host: 'evil',
      },
      body: '{"text":"grüße"}',
    };
    const response = await relay(request);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('short and stout');
    const { status, headers } = inHeader<RelayedResponse>(response, 'x-relay-response');
    expect([status, Object.fromEntries(headers)['x-kind']]).toEqual([418, 'teapot']);
    const got = received.at(-1);
    expect(got).toMatchObject({ url: '/a2a?x=1', body: '{"text":"grüße"}' });
    const sent = inHeader<RelayedRequest>(response, 'x-relay-request');
    expect(sent).toMatchObject({ method: 'POST', url: `${place}/a2a?x=1` });
    const shown = Object.fromEntries(sent.headers.map(([name, value]) => [name.toLowerCase(), value]));
    expect(shown).toEqual(got?.headers);
    expect(shown).toMatchObject({ authorization: 'Bearer theirs', host: new URL(place).host, 'content-length': '18' });
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  it('passes a stream on as it comes, and leaves when its reader does', async () => {
    const left = gate();
    const begun = gate<ServerResponse>();
    onStream = (response) => {
      response.write('data: 1\n\n');
      response.on('close', () => left.resolve());
      begun.resolve(response);
    };
    const response = await relay({ url: `${place}/stream` });
    const reader = response.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('data: 1\n\n');
    (await begun.promise).write('data: 2\n\n');
    expect(await next()).toBe('data: 2\n\n');
    await reader?.cancel();
    await left.promise;
  });

  it('lets nobody take what comes for a page of this origin', async () => {
    const { headers } = await relay({ url: `${place}/page` });
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('breaks off what breaks off', async () => {
    const response = await relay({ url: `${place}/cut` });
    await expect(response.text()).rejects.toThrow();
  });

  it.each([
    [{}, 'url must be'],
    [{ url: 'nowhere' }, 'must be an absolute URL'],
    [{ url: 'file:///etc/passwd' }, 'must begin with https or http'],
    [{ url: 'http://169.254.169.254/latest' }, 'must not lead to'],
    [{ url: 'http://10.0.0.1/' }, 'must not lead to'],
    [{ url: 'http://user:pass@example.com/' }, 'must not hold a user name'],
    [{ url: 'http://127.0.0.1/', method: 'TRACE' }, 'method must be one of'],
    [{ url: 'http://127.0.0.1/', body: 'x' }, 'GET takes no body'],
    [{ url: 'http://127.0.0.1/', method: 'POST', body: 7 }, 'body must be a text'],
    [{ url: 'http://127.0.0.1/', headers: { 'a b': 'c' } }, 'has a name that is none'],
    [{ url: 'http://127.0.0.1/', headers: { a: 'b\r\nc: d' } }, 'a text of one line'],
    [[1], 'must be a JSON object'],
  ])('refuses %j', async (request, problem) => {
    const response = await relay(request);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(((await response.json()) as { detail: string }).detail).toContain(problem);
  });

  it('says in words that nobody is at an address', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const response = await relay({ url: `http://127.0.0.1:${port}/` });
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual([
      502,
      expect.stringContaining(`The address "http://127.0.0.1:${port}/"`),
    ]);
  });

  it('does not reach the machine of a server that asks for credentials', async () => {
    const response = await relay({ url: place }, guarded.url, { authorization: 'Bearer boss' });
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      400,
      expect.stringContaining('must not lead to'),
    ]);
  });

  it('is not there without the console', async () => {
    const plain = new A2AServer({ agents: [echo], log: quiet });
    await plain.listen({ port: 0 });
    expect((await relay({ url: place }, plain.url)).status).toBe(404);
    await plain.close();
  });
});
