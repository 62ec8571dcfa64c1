import { describe, expect, it } from 'vitest';
import { head } from '../bad-input/support/raw-socket.ts';
import { listenSubject } from '../bad-input/support/socket-subject.ts';
import type { Wire } from '../support/rpc.ts';

describe('bytes that are no request', () => {
  it.each([
    ['words', 'hello\r\n\r\n', 400, 'INVALID_ARGUMENT'],
    [
      'a length that is none',
      'POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
      400,
      'INVALID_ARGUMENT',
    ],
    ['large headers', head('GET /a2a/tasks HTTP/1.1', [`X-Large: ${'x'.repeat(40_000)}`]), 431, 'INVALID_ARGUMENT'],
  ])('are answered in JSON, and the connection is closed: %s', async (_, bytes, status, grpc) => {
    const { connect } = await listenSubject();
    const connection = await connect();
    connection.write(bytes);
    const response = await connection.response();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    const { error }: Wire = JSON.parse(response.body);
    expect(error).toMatchObject({ code: status, status: grpc, message: expect.stringMatching(/./) });
    expect(await connection.closed()).toBe(true);
  });

  it('that never become a request are answered 408, and so is silence', async () => {
    const { connect, expectHealthy } = await listenSubject({ limits: { headersTimeout: 100 } });
    for (const bytes of ['GET /a2a/tasks HTTP/1.1\r\nHost: localhost\r\n', 'G']) {
      const connection = await connect();
      connection.write(bytes);
      const { status, body } = await connection.response();
      expect([status, (JSON.parse(body) as Wire).error.code]).toEqual([408, 408]);
      expect(await connection.closed()).toBe(true);
    }
    const silent = await connect();
    expect(await silent.closed()).toBe(true);
    await expectHealthy();
  });
});

it('a HEAD that cannot be read gets no body', async () => {
  const { connect } = await listenSubject();
  const connection = await connect();
  connection.write(head('HEAD %2fa2a HTTP/1.1'));
  expect(await connection.closed()).toBe(true);
  expect(connection.received).toMatch(/^HTTP\/1\.1 400 /);
  expect(connection.received.endsWith('\r\n\r\n')).toBe(true);
});

describe('headers', () => {
  it('may be so many as the limit says; more are refused with 431 in the shape of the binding', async () => {
    const { ask } = await listenSubject({ limits: { headers: 50 } });
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: b`);
    expect((await ask(head('GET /a2a/tasks HTTP/1.1', ['A2A-Version: 1.0', ...lines(48)]))).status).toBe(200);
    const { status, body } = await ask(head('GET /a2a/tasks HTTP/1.1', ['A2A-Version: 1.0', ...lines(49)]));
    expect([status, (JSON.parse(body) as Wire).error.code]).toEqual([431, 431]);
  });

  it('may be as large as the limit says', async () => {
    const { ask } = await listenSubject({ limits: { headersBytes: 40_000 } });
    expect(
      (await ask(head('GET /a2a/tasks HTTP/1.1', ['A2A-Version: 1.0', `X-Large: ${'x'.repeat(30_000)}`]))).status,
    ).toBe(200);
  });
});

describe('a stream', () => {
  it('outlasts the limits of requests', async () => {
    const { connect, peer } = await listenSubject({
      limits: { headersTimeout: 100, bodyTimeout: 100, keepAlive: 400 },
    });
    const { id } = await peer.send('ask');
    const connection = await connect();
    connection.write(head(`GET /a2a/tasks/${id}:subscribe HTTP/1.1`, ['A2A-Version: 1.0']));
    // Node looks for late requests once a second; nine comments take 3.6 s at the least.
    await expect.poll(() => connection.received.split('\n:').length, { timeout: 60_000 }).toBeGreaterThan(9);
    expect(connection.socket.destroyed).toBe(false);
  });
});
