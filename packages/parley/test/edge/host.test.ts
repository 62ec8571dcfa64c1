import { describe, expect, it } from 'vitest';
import type { ExchangeRequest, RequestHeaders } from '../../src/bindings/exchange.ts';
import { ServerCore } from '../../src/server/core/core.ts';
import type { A2AServerOptions } from '../../src/server/options.ts';
import { listenSubject } from '../bad-input/support/socket-subject.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const SEND = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params: sendParams('run') });
const JSON_TYPE = 'Content-Type: application/json';

function post(host: string | readonly string[], lines: readonly string[] = [JSON_TYPE], path = '/a2a', body = SEND) {
  const hosts = [host].flat().map((name) => `Host: ${name}`);
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`POST ${path} HTTP/1.1`, ...hosts, 'A2A-Version: 1.0', length, ...lines, '', body].join('\r\n');
}

function get(path: string, host: string, lines: readonly string[] = []): string {
  return [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
}

describe('a server that listens on loopback', () => {
  it.each([
    'localhost',
    'localhost:1',
    'LOCALHOST.:4000',
    'agent.localhost',
    '127.0.0.1',
    '127.0.0.9:80',
    '[::1]:4000',
    '[::1]',
  ])('serves requests for %s, with any port', async (host) => {
    const { ask } = await listenSubject();
    expect((await ask(post(host))).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '10.0.0.1',
    '[::2]',
    'localhost:4000@evil.example',
    '',
  ])('refuses requests for "%s", to which a page may have rebound its name', async (host) => {
    const { ask, expectNothingStarted } = await listenSubject();
    for (const request of [
      post(host),
      get('/.well-known/agent-card.json', host),
      get('/a2a/tasks', host),
      get('/', host),
    ]) {
      const { status, body } = await ask(request);
      expect(status).toBe(421);
      expect((JSON.parse(body) as Wire).error.message).toContain('give the server hosts:');
    }
    await expectNothingStarted();
  });

  it('refuses in the shape of the binding and dialect', async () => {
    const { ask } = await listenSubject();
    const rpc: Wire = JSON.parse((await ask(post('evil.example'))).body);
    expect(rpc).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: expect.any(Number) } });
    const rest: Wire = JSON.parse((await ask(post('evil.example', [JSON_TYPE], '/a2a/message:send'))).body);
    expect(rest).toMatchObject({ error: { code: 421, status: 'PERMISSION_DENIED' } });
    const older: Wire = JSON.parse((await ask(post('evil.example', [JSON_TYPE], '/v1/message:send'))).body);
    expect(JSON.stringify(older)).toContain('evil.example');
  });

  it('serves the names that the settings have', async () => {
    const { ask } = await listenSubject({ hosts: ['agents.example.com'], url: 'https://www.example.com/x' });
    expect((await ask(post('agents.example.com:8443'))).status).toBe(200);
    expect((await ask(post('Agents.Example.com.'))).status).toBe(200);
    expect((await ask(post('www.example.com'))).status).toBe(200);
    expect((await ask(post('other.example.com'))).status).toBe(421);
  });

  it('serves any name where hosts is true, and health under any name', async () => {
    const any = await listenSubject({ hosts: true });
    expect((await any.ask(post('evil.example'))).status).toBe(200);
    const usual = await listenSubject();
    expect((await usual.ask(get('/healthz', '10.0.0.1'))).status).toBe(200);
  });

  it('goes by X-Forwarded-Host where a proxy is trusted, and by that alone', async () => {
    const forwarded = ['X-Forwarded-Host: agents.example.com', JSON_TYPE];
    const untrusted = await listenSubject();
    expect((await untrusted.ask(post('localhost', forwarded))).status).toBe(200);
    expect((await untrusted.ask(post('agents.example.com', forwarded))).status).toBe(421);
    const trusted = await listenSubject({ trustProxy: true });
    expect((await trusted.ask(post('internal', forwarded))).status).toBe(200);
    expect((await trusted.ask(post('evil.example'))).status).toBe(421);
    const named = await listenSubject({ trustProxy: true, hosts: ['other.example.com'] });
    expect((await named.ask(post('localhost', forwarded))).status).toBe(421);
  });

  it('refuses a request of HTTP/1.1 without a Host header in the shape of the binding; HTTP/1.0 has none', async () => {
    const { ask, expectNothingStarted } = await listenSubject();
    const { status, body } = await ask(post([]));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32600 } });
    expect((JSON.parse(body) as Wire).error.message).toContain('must have a Host header');
    await expectNothingStarted();
    expect((await ask('GET /.well-known/agent-card.json HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('serves a request with an expectation that nobody knows', async () => {
    const { ask } = await listenSubject();
    expect((await ask(post('localhost', [JSON_TYPE, 'Expect: the-unexpected']))).status).toBe(200);
  });

  it('refuses two Host headers with 400', async () => {
    const { ask, expectNothingStarted } = await listenSubject();
    const { status, body } = await ask(post(['localhost', 'evil.example']));
    expect(status).toBe(400);
    expect((JSON.parse(body) as Wire).error.message).toContain('one Host header');
    await expectNothingStarted();
  });

  it.each([
    [['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'], '"https://evil.example"'],
    [['Origin: https://evil.example'], '"https://evil.example"'],
    [['Origin: null'], 'cors: true'],
    [['Origin: http://localhost.evil.example'], 'evil.example'],
    [['Sec-Fetch-Site: cross-site'], 'cors: true'],
    [['Origin: chrome-extension://abc', 'Sec-Fetch-Site: cross-site'], 'chrome-extension'],
  ])('refuses a page of another site: %s', async (lines, text) => {
    const { ask, expectNothingStarted } = await listenSubject();
    const { status, body } = await ask(post('localhost', [JSON_TYPE, ...lines]));
    expect([status, (JSON.parse(body) as Wire).id]).toEqual([403, 7]);
    expect((JSON.parse(body) as Wire).error.message).toContain(text);
    expect((await ask(get('/.well-known/agent-card.json', 'localhost', lines))).status).toBe(403);
    await expectNothingStarted();
  });

  it.each([
    [['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site']],
    [['Origin: http://127.0.0.1:9']],
    [['Origin: https://agents.example.com', 'Sec-Fetch-Site: same-origin']],
    [['Sec-Fetch-Site: none']],
  ])('serves a page of its own site: %s', async (lines) => {
    const { ask } = await listenSubject();
    expect((await ask(post('localhost', [JSON_TYPE, ...lines]))).status).toBe(200);
  });

  it('shows a page to a visitor who follows a link, and takes no form from there', async () => {
    const { ask } = await listenSubject();
    const lines = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    expect((await ask(get('/', 'localhost', lines))).status).toBe(200);
    expect((await ask(post('localhost', [JSON_TYPE, ...lines]))).status).toBe(403);
  });

  it('serves the pages that CORS allows, and no others', async () => {
    const { ask } = await listenSubject({ cors: ['https://app.example.com'] });
    const of = (origin: string) => [JSON_TYPE, `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site'];
    const allowed = await ask(post('localhost', of('https://app.example.com')));
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example.com',
    ]);
    expect((await ask(post('localhost', of('https://evil.example')))).status).toBe(403);
  });

  it.each([
    '/a2a',
    '/a2a/message:send',
  ])('takes a body without a type from programs, and not from pages: %s', async (path) => {
    const { ask, runs } = await listenSubject({ cors: true });
    const body = path === '/a2a' ? SEND : JSON.stringify(sendParams('run'));
    expect((await ask(post('localhost', [], path, body))).status).toBe(200);
    for (const line of ['Origin: http://localhost', 'Sec-Fetch-Site: same-site']) {
      const response = await ask(post('localhost', [line], path, body));
      expect([415, 400]).toContain(response.status);
      expect(response.body).toContain('Content-Type');
    }
    expect(runs()).toBe(1);
  });
});

describe('a server that an app has in it', () => {
  const asked = async (
    options: Partial<A2AServerOptions>,
    headers: RequestHeaders,
    more: Partial<ExchangeRequest> = {},
  ) => {
    const core = new ServerCore({ agents: [agentOf(() => 'done')], ...options });
    const all = { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers };
    const request = { method: 'POST', url: '/a2a', headers: all, body: SEND, peer: { isLocal: true }, ...more };
    const { status } = await core.handle(request);
    await core.close();
    return status;
  };

  it('looks at hosts and pages only where the setting is there', async () => {
    const foreign = { host: 'proxy.example', origin: 'https://evil.example' };
    expect(await asked({}, foreign)).toBe(200);
    expect(await asked({ hosts: [] }, foreign)).toBe(421);
    expect(await asked({ hosts: ['proxy.example'] }, foreign)).toBe(403);
    expect(await asked({ hosts: ['proxy.example'] }, { host: 'proxy.example' })).toBe(200);
    expect(await asked({ hosts: ['proxy.example'] }, { ':authority': 'evil.example' })).toBe(421);
  });

  it.each([
    [['https://x.example'], 'not a host'],
    [['a b'], 'not a host'],
    [[''], 'not a host'],
    [[7], 'not a host'],
    ['x.example', 'true or a list'],
  ])('refuses hosts: %j at once', (hosts, text) => {
    expect(() => new ServerCore({ agents: [agentOf(() => 'x')], hosts: hosts as string[] })).toThrow(text);
  });
});
