import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { head } from '../bad-input/support/raw-socket.ts';
import { listenSubject } from '../bad-input/support/socket-subject.ts';
import { startSubject } from '../bad-input/support/subject.ts';
import { sendParams, type Wire } from '../support/rpc.ts';

const MEGABYTE = 1024 * 1024;
const bodyOf = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'SendMessage', params: sendParams(text) });

/** The ways of a packed body to a server: over a socket, and as a web request. */
const WAYS = {
  async socket(bytes: Uint8Array, encoding: string, limits = {}) {
    const { connect } = await listenSubject({ limits });
    const connection = await connect();
    const length = `Content-Length: ${bytes.length}`;
    connection.write(
      head('POST /a2a HTTP/1.1', [
        'A2A-Version: 1.0',
        'Content-Type: application/json',
        `Content-Encoding: ${encoding}`,
        length,
      ]),
    );
    connection.write(bytes);
    const { status, body } = await connection.response();
    return { status, answer: JSON.parse(body) as Wire };
  },
  async fetch(bytes: Uint8Array, encoding: string, limits = {}) {
    const { server } = startSubject({ limits });
    const headers = { 'a2a-version': '1.0', 'content-type': 'application/json', 'content-encoding': encoding };
    const init = { method: 'POST', headers, body: Uint8Array.from(bytes) };
    const response = await server.fetch(new Request('http://localhost/a2a', init));
    return { status: response.status, answer: (await response.json()) as Wire };
  },
};

describe.each(['socket', 'fetch'] as const)('packed bodies over %s', (way) => {
  const ask = WAYS[way];
  const packings = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['identity', (text: string) => Buffer.from(text)],
    ...(way === 'socket' ? [['br', brotliCompressSync] as const] : []),
  ] as const;

  it.each(packings)('are unpacked: %s', async (encoding, pack) => {
    const { status, answer } = await ask(pack(bodyOf('packed')), encoding);
    expect([status, answer.id]).toEqual([200, 5]);
    expect(answer.result.task.artifacts[0].parts).toEqual([{ text: 'packed' }]);
  });

  it.each([
    'zstd',
    'compress',
    'gzip, gzip',
    'x',
    'gzip;q=1',
  ])('are refused with 415 that names what is accepted: %s', async (encoding) => {
    const { status, answer } = await ask(gzipSync(bodyOf('packed')), encoding);
    expect(status).toBe(415);
    expect(answer.error.message).toContain('gzip, deflate');
  });

  it('are refused where they are broken, or not what they say', async () => {
    const whole = gzipSync(bodyOf('packed'));
    for (const bytes of [whole.subarray(0, whole.length - 9), Buffer.from(bodyOf('plain'))]) {
      const { status, answer } = await ask(bytes, 'gzip');
      expect([status, answer.error.code]).toEqual([200, -32700]);
      expect(answer.error.message).toContain('not gzip');
    }
  });

  it('may unpack to bodyBytes, and to no more', async () => {
    const limits = { bodyBytes: 100_000 };
    const text = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(97 + ((index * 7919) % 26))).join('');
    expect((await ask(gzipSync(bodyOf(text)), 'gzip', limits)).status).toBe(200);
    const { status, answer } = await ask(gzipSync(bodyOf(text.repeat(6))), 'gzip', limits);
    expect(status).toBe(413);
    expect(answer.error.message).toContain('100000 bytes');
  });

  it('that are bombs are refused', async () => {
    const { status, answer } = await ask(gzipSync(bodyOf('a'.repeat(14 * MEGABYTE))), 'gzip');
    expect(status).toBe(413);
    expect(answer.error.message).toContain('times its size');
    const { status: small } = await ask(gzipSync(bodyOf('a'.repeat(MEGABYTE / 2))), 'gzip');
    expect(small).toBe(200);
  });
});
