import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConsolePage } from '../../src/server/console/console-page.ts';
import { Bundle } from '../../src/server/console/node/bundle.ts';
import { CONSOLE_POLICY } from '../../src/server/console/page-headers.ts';
import type { ServerInfo } from '../../src/server/operator/console-api.ts';
import { agentOf } from '../support/script.ts';

const echo = agentOf((task) => task.text, { name: 'echo' });
const quiet = { error: () => {}, warn: () => {} };
const text = (value: string) => new TextEncoder().encode(value);
const SCRIPT = `console.log("${'x'.repeat(5000)}")`;
const FILES = new Map([
  ['index.html', text('<!doctype html><html><head><title>Console</title></head></html>')],
  ['assets/index-abc123.js', text(SCRIPT)],
  ['icon.svg', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
]);

function pageOf(options: { basePath?: string; open?: () => Promise<Bundle> } = {}) {
  const openBundle = options.open ?? (async () => new Bundle(FILES));
  const page = new ConsolePage({ basePath: options.basePath ?? '/a2a', log: quiet, openBundle });
  return async (path: string, headers: Record<string, string> = {}, prefix?: string) => {
    const request = { method: 'GET', url: `/console/${path}`, headers, body: undefined, peer: {}, prefix };
    const response = await page.respond(request, path);
    const { body } = response;
    const pieces: Uint8Array[] = [];
    if (typeof body === 'object') {
      for (let piece = body.read(); piece !== undefined; piece = body.read()) pieces.push(piece as Uint8Array);
    }
    return {
      ...response,
      bytes: Buffer.concat(pieces),
      text: typeof body === 'string' ? body : Buffer.concat(pieces).toString(),
    };
  };
}

describe('the files of the console', () => {
  it('have headers that keep everything else out', async () => {
    const { status, headers, text: html } = await pageOf()('');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONSOLE_POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(CONSOLE_POLICY).not.toMatch(/unsafe|\*|https?:/);
    expect(html).toContain('<meta name="parley-base" content="/a2a" />');
  });

  it('tell the page where the server has its routes, whatever that is called', async () => {
    const { text: html } = await pageOf({ basePath: '/x"><script>' })('tasks/1');
    expect(html).toContain('content="/x&quot;>&lt;script>"');
  });

  it('are kept by browsers: those with a digest in their names for ever, the others until they change', async () => {
    const get = pageOf();
    const asset = await get('assets/index-abc123.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const again = await get('assets/index-abc123.js', { 'if-none-match': `W/"other", ${asset.headers.etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get('icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('are compressed as the browser takes them: %s', async (accepted, used) => {
    const { headers, bytes } = await pageOf()('assets/index-abc123.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(used);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(headers.vary).toBe('accept-encoding');
    if (used) expect(bytes.length).toBeLessThan(SCRIPT.length / 10);
    else expect(bytes.toString()).toBe(SCRIPT);
  });

  it.each([
    '../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/etc/passwd',
    'assets/../../../../etc/passwd',
    '.vite/manifest.json',
    'assets%2findex-abc123.js',
    '__proto__',
    'constructor',
    '/etc/passwd',
  ])('lead nowhere else: %s', async (path) => {
    const { status, text: body } = await pageOf()(path);
    if (status === 404) expect(body).toBe('The console has no such file\n');
    else expect(body).toContain('<title>Console</title>');
  });

  it('are looked for again after they could not be had, and the reason is told', async () => {
    let isBuilt = false;
    const get = pageOf({
      open: async () => {
        if (!isBuilt) throw new Error('The console could not be built: a type is wrong');
        return new Bundle(FILES);
      },
    });
    const { status, text: body } = await get('');
    expect([status, body]).toEqual([503, 'The console could not be built: a type is wrong\n']);
    isBuilt = true;
    expect((await get('')).status).toBe(200);
  });

  it('are only there at the root of a host', async () => {
    expect(await pageOf()('', {}, '/agents')).toMatchObject({ status: 404, text: expect.stringContaining('/agents') });
  });
});

describe('the console of a server', () => {
  it('is off unless it is asked for', async () => {
    const server = new A2AServer({ agents: [echo] });
    onTestFinished(() => server.close());
    expect((await server.fetch(new Request('http://localhost/console/'))).status).toBe(404);
    expect(server.consoleUrl).toBeUndefined();
  });

  it('needs auth where other machines can reach the server', async () => {
    const server = new A2AServer({ agents: [echo], console: true, open: true });
    await expect(server.listen({ port: 0, host: '0.0.0.0' })).rejects.toThrow('console needs auth');
  });

  it.each([
    [{ tracingUrl: 'javascript:alert({traceId})' }, 'console.tracingUrl'],
    [{ tracingUrl: 'https://traces.example.com/' }, '{traceId}'],
    [{ traceUrl: 'x' }, 'There is no option console.traceUrl; there are tracingUrl'],
    ['yes', 'console must be true, false or an object'],
  ])('refuses the setting %j', (setting, problem) => {
    expect(() => new A2AServer({ agents: [echo], console: setting as unknown as true })).toThrow(problem);
  });

  describe('with credentials', () => {
    const server = new A2AServer({
      agents: [echo],
      console: { tracingUrl: 'https://traces.example.com/{traceId}' },
      auth: {
        type: 'bearer',
        validate: (token) => ({ subject: token, scopes: token === 'boss' ? ['parley:operator'] : [] }),
      },
      log: quiet,
    });
    beforeAll(() => server.listen({ port: 0 }));
    afterAll(() => server.close());
    const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, { ...init, headers });

    it('asks nobody for them to show its page, and everybody for what the page shows', async () => {
      expect(server.consoleUrl).toBe(`${server.url}/console/`);
      for (const path of ['server', 'all-tasks', 'tasks/1/events', 'tasks/1/tree', 'nodes', 'metrics', 'keys']) {
        const place = `/a2a/operator/${path}`;
        const anonymous = await ask(place);
        expect([path, anonymous.status]).toEqual([path, 401]);
        expect(anonymous.headers.get('www-authenticate')).toContain('Bearer');
        expect([path, (await ask(place, { authorization: 'Bearer ann' })).status]).toEqual([path, 403]);
      }
      for (const path of ['tasks/1/rerun', 'contexts/1/fork', 'relay', 'check']) {
        const init = { method: 'POST', body: '{}' };
        const place = `/a2a/operator/${path}`;
        expect([path, (await ask(place, {}, init)).status]).toEqual([path, 401]);
        // A form of another site can send no JSON without asking first.
        const form = { authorization: 'Bearer boss', 'content-type': 'text/plain' };
        if (path === 'relay') expect([path, (await ask(place, form, init)).status]).toEqual([path, 415]);
      }
      const asked = await ask('/a2a/operator/server', { authorization: 'Bearer boss' });
      const { features, auth } = (await asked.json()) as ServerInfo;
      expect(features).toMatchObject({ console: true, tracingUrl: 'https://traces.example.com/{traceId}' });
      expect(auth).toEqual({ isOn: true, schemes: ['http'] });
    });

    it('refuses pages of other sites and names that were rebound', async () => {
      const foreign = { authorization: 'Bearer boss', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect((await ask('/a2a/operator/server', foreign)).status).toBe(403);
      expect((await ask('/console/', { ...foreign, 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    });

    it('takes no other methods', async () => {
      const response = await ask('/console/', { authorization: 'Bearer boss' }, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });
});
