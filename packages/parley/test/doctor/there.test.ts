import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { A2AServer, defineAgent } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { streamFinding } from '../../src/cli/doctor/there/stream.ts';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import type { Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const TLS = join(import.meta.dirname, '../auth/support/tls');

/** Takes a second for what it is asked, so that it can be seen whether frames are held back. */
const slow = defineAgent({
  name: 'slow',
  description: 'Takes its time',
  version: '1.0.0',
  async *run(task) {
    yield 'one';
    if (task.text !== 'quick') await new Promise((resolve) => setTimeout(resolve, 1200));
    yield 'two';
  },
});

const plain = new A2AServer({ agents: [slow] });
beforeAll(async () => void (await plain.listen({ port: 0 })));
afterAll(() => plain.close());

/** Looks at an address from a folder without settings. */
async function looked(url: string, ...args: readonly string[]) {
  const cwd = join(tempFile(), '..');
  const { code, stdout } = await cli(['doctor', '--json', '--port', '0', '--url', url, ...args], { cwd });
  const found: readonly Wire[] = objectsOf(stdout);
  return { code, found, of: (check: string) => found.find((one) => one.check === check) };
}

/** A proxy that hands a response on when it has all of it. */
async function buffering(target: string): Promise<string> {
  const proxy = createServer((request, response) => void handOn(request, response)).listen(0, '127.0.0.1');
  const handOn = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { host = '', connection: __, 'content-length': ___, ...sent } = headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: { ...sent, 'x-forwarded-host': host },
      ...(body && { body }),
    });
    const whole = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(whole);
  };
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('parley doctor --url', () => {
  it('finds nothing wrong with a server that is right', async () => {
    const { code, found } = await looked(plain.url ?? '');
    const there = found.slice(found.findIndex(({ check }) => check === 'ready'));
    expect(there.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'ready ok',
      'clock ok',
      'tls ok',
      'card ok',
      'stream ok',
    ]);
    expect(code).toBe(0);
  });

  it('sees a proxy that holds streams back', async () => {
    const server = new A2AServer({ agents: [slow], trustProxy: true });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const { code, of } = await looked(await buffering(server.url ?? ''));
    expect([code, of('stream')]).toMatchObject([
      1,
      { status: 'fail', message: expect.stringContaining('a proxy holds them back') },
    ]);
    expect(of('stream').advice).toContain('proxy_buffering off');
  });

  it('says where a card leads that is behind a proxy, and sends nothing there', async () => {
    const { found, of } = await looked(await buffering(plain.url ?? ''));
    expect(of('card')).toMatchObject({ status: 'warn', advice: expect.stringContaining('Set url (--url)') });
    expect(found.at(-1)).toBe(of('card'));
  });

  it('cannot tell of an agent that is too quick', async () => {
    // On a machine that is busy it may have taken long enough.
    const { of } = await looked(plain.url ?? '', 'quick');
    expect(of('stream').message).toMatch(/too quick to tell|came one by one/);
  });
});

it('parley doctor --url says that nobody is there, or somebody else', async () => {
  const gone = await looked('http://127.0.0.1:1');
  expect([gone.code, gone.of('ready')?.message]).toEqual([1, expect.stringMatching(/cannot be reached/)]);
  expect(gone.of('card')).toBeUndefined();
  const other = createServer((_, response) => void response.end('<html>')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { code, of } = await looked(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  expect([code, of('card')?.status]).toEqual([1, 'fail']);
  expect(of('ready')?.message).toBe('The server answers; it has no /readyz');
});

it('parley doctor --url looks at the certificate that a server shows', async () => {
  const server = new A2AServer({ agents: [slow] });
  const read = (name: string) => readFileSync(join(TLS, name), 'utf8');
  await server.listen({ port: 0, tls: { cert: read('server.pem'), key: read('server.key') } });
  onTestFinished(() => server.close());
  const { code, of } = await looked(server.url ?? '');
  expect([code, of('tls')]).toMatchObject([
    1,
    { status: 'fail', message: expect.stringContaining('do not trust the certificate') },
  ]);
});

describe('frames', () => {
  it('are compared by when they were made and when they came', () => {
    const of = (...pairs: readonly (readonly [number | undefined, number])[]) =>
      streamFinding(pairs.map(([madeAt, cameAt]) => ({ madeAt, cameAt }))).status;
    expect(of([0, 0], [1000, 1000])).toBe('ok');
    expect(of([0, 500], [1000, 510])).toBe('fail');
    expect(of([0, 0], [100, 100])).toBe('warn');
    expect(of([undefined, 0])).toBe('warn');
    expect(of()).toBe('warn');
  });
});
