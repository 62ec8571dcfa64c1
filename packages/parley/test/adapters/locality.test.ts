import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLocalRequest } from '../../src/adapters/local-peer.ts';
import { LOCAL_HOSTS } from './hosts/index.ts';
import { contractAgents } from './support/agents.ts';
import type { LocalHost } from './support/host.ts';
import { httpRequest } from './support/http-request.ts';

const VERSION = { 'a2a-version': '1.0' };

async function startOn(host: LocalHost, settings: Partial<A2AServerOptions> = {}): Promise<string> {
  const server = new A2AServer({ agents: contractAgents, log: { error: () => {}, warn: () => {} }, ...settings });
  const { url, stop } = await host.serve(server, {});
  onTestFinished(async () => {
    await server.close();
    await stop();
  });
  return url;
}

async function listing(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return (await httpRequest(`${url}/a2a/tasks`, { headers: { ...VERSION, ...headers } })).status;
}

/** Express 4 takes the place of the other one in the whole process. */
const HOSTS = Object.keys(LOCAL_HOSTS).filter((name) => name !== 'Express 4');

describe.each(HOSTS)('on loopback, by %s', (name) => {
  it('lets callers on this machine list tasks', async () => {
    const host = (await LOCAL_HOSTS[name]?.()) as LocalHost;
    const url = await startOn(host);
    const { port } = new URL(url);
    expect(await listing(url)).toBe(200);
    expect(await listing(url, { host: `localhost:${port}` })).toBe(200);
    expect(await listing(url, { host: `[::1]:${port}` })).toBe(200);
  });

  it('takes a request that a proxy may have brought for that of a stranger', async () => {
    const host = (await LOCAL_HOSTS[name]?.()) as LocalHost;
    const url = await startOn(host);
    const signs: readonly Readonly<Record<string, string>>[] = [
      { host: 'agents.example.com' },
      { host: 'localhost.example.com' },
      { host: '127.0.0.1.example.com' },
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-proto': 'https' },
      { forwarded: 'for=203.0.113.7' },
      { via: '1.1 proxy' },
      { 'x-real-ip': '203.0.113.7' },
      { 'cf-connecting-ip': '203.0.113.7' },
    ];
    for (const headers of signs) {
      // Where it listens itself, the server takes no other names than its own.
      const refused = name === 'listen' && 'host' in headers ? 421 : 403;
      expect([headers, await listing(url, headers)]).toEqual([headers, refused]);
    }
    expect(await overHttp10(url)).toMatch(/^HTTP\/1\.1 403/);
  });

  it('asks no further where the settings speak of a proxy, or say who may', async () => {
    const host = (await LOCAL_HOSTS[name]?.()) as LocalHost;
    expect(await listing(await startOn(host, { trustProxy: true }))).toBe(403);
    expect(await listing(await startOn(host, { url: 'https://agents.example.com' }))).toBe(403);
    expect(await listing(await startOn(host, { url: 'http://localhost:4000' }))).toBe(200);
    expect(await listing(await startOn(host, { anonymous: 'private' }))).toBe(403);
    expect(await listing(await startOn(host, { anonymous: 'shared' }), { via: '1.1 proxy' })).toBe(200);
  });
});

describe('on all interfaces', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  it('lets nobody list, from wherever', async () => {
    const server = new A2AServer({ agents: contractAgents, open: true });
    onTestFinished(() => server.close());
    await server.listen({ host: '0.0.0.0', port: 0 });
    const { port } = new URL(server.url ?? '');
    expect(await listing(`http://127.0.0.1:${port}`)).toBe(403);
    if (outside !== undefined) expect(await listing(`http://${outside}:${port}`)).toBe(403);
  });
});

describe('what Bun says of a request', () => {
  const request = new Request('http://localhost/a2a');
  const bun = (bound: string, peer: string) => ({
    address: { address: bound },
    requestIP: (): unknown => ({ address: peer }),
  });

  it.each<[string, unknown, boolean]>([
    ['loopback at both ends', bun('127.0.0.1', '127.0.0.1'), true],
    ['loopback of IPv6', bun('::1', '::1'), true],
    ['a server for all', bun('::', '::ffff:127.0.0.1'), false],
    ['a caller from elsewhere', bun('127.0.0.1', '203.0.113.7'), false],
    ['nothing', { requestIP: () => null }, false],
    ['the bindings of a Worker', { incoming: 'a binding', requestIP: 'another' }, false],
    ['nothing at all', undefined, false],
  ])('%s', (_, surroundings, expected) => {
    expect(isLocalRequest(request, surroundings)).toBe(expected);
  });
});

async function overHttp10(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('GET /a2a/tasks HTTP/1.0\r\nhost: localhost\r\na2a-version: 1.0\r\n\r\n');
  return text(socket);
}
