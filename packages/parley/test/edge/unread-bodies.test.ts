import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CORE } from '../../src/server/core/hosted.ts';
import { head, open, type RawSocket } from '../bad-input/support/raw-socket.ts';
import { listenSubject } from '../bad-input/support/socket-subject.ts';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const MEGABYTE = 1024 * 1024;
const V1 = ['A2A-Version: 1.0', 'Content-Type: application/json'];
const announced = (bytes: number) => `Content-Length: ${bytes}`;

/** Bytes of large bodies that the server holds. */
function heldBy(server: A2AServer): number {
  return server[CORE].bodies.bytes;
}

async function send(connection: RawSocket, bytes: number): Promise<void> {
  const piece = Buffer.alloc(Math.min(bytes, MEGABYTE), 0x20);
  for (let sent = 0; sent < bytes; sent += piece.length) {
    if (!connection.socket.write(piece)) await new Promise((resolve) => connection.socket.once('drain', resolve));
  }
}

describe('a body that nobody wants', () => {
  it.each([
    ['a path where nothing is', 'POST /nowhere HTTP/1.1', 404],
    ['a path that no binding has', 'POST /a2a/nothing/here HTTP/1.1', 404],
    ['an agent that is not there', 'POST /a2a/agents/nobody HTTP/1.1', 404],
    ['a method that is not allowed', 'PUT /a2a HTTP/1.1', 405],
    ['a card', 'POST /.well-known/agent-card.json HTTP/1.1', 405],
    ['a host that is not the server', 'POST http://localhost/a2a HTTP/1.1', 421],
  ])('is refused before it comes, and never held: %s', async (_, line, status) => {
    const { connect, server, expectHealthy } = await listenSubject();
    const lines = [line, status === 421 ? 'Host: evil.example' : 'Host: localhost', ...V1];
    for (const length of [announced(15 * MEGABYTE), 'Transfer-Encoding: chunked']) {
      const connection = await connect();
      connection.write([...lines, length, '', ''].join('\r\n'));
      // Of a request that is refused in its own shape a little is waited for; this one says that it is large.
      if (length.startsWith('Transfer')) connection.write(`${(MEGABYTE).toString(16)}\r\n${' '.repeat(MEGABYTE)}`);
      expect((await connection.response()).status).toBe(status);
      expect(heldBy(server)).toBe(0);
    }
    await expectHealthy();
  });

  it('is refused before it comes where credentials are missing', async () => {
    const server = new A2AServer({
      agents: [agentOf(() => 'done')],
      auth: { type: 'bearer', validate: () => false },
    });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const connection = await open(server);
    connection.write(head('POST /a2a HTTP/1.1', [...V1, announced(15 * MEGABYTE)]));
    const { status, headers } = await connection.response();
    expect([status, headers.get('connection')]).toEqual([401, 'close']);
    expect(heldBy(server)).toBe(0);
  });

  it('is read away, so that a client that sends it all reads the response', async () => {
    const { connect } = await listenSubject();
    const connection = await connect();
    connection.write(head('POST /nowhere HTTP/1.1', [...V1, announced(8 * MEGABYTE)]));
    await send(connection, 8 * MEGABYTE);
    expect((await connection.response()).status).toBe(404);
  });

  it('is not asked for where the client asks first', async () => {
    const { connect } = await listenSubject();
    const refused = await connect();
    refused.write(head('POST /nowhere HTTP/1.1', [...V1, announced(100), 'Expect: 100-continue']));
    expect((await refused.response()).status).toBe(404);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('hi') });
    const asked = await connect();
    asked.write(head('POST /a2a HTTP/1.1', [...V1, announced(body.length), 'Expect: 100-continue']));
    expect((await asked.response()).status).toBe(100);
    asked.write(body);
    expect((await asked.response()).status).toBe(200);
  });
});

describe('all bodies together', () => {
  it('hold no more than bodiesBytes; one more is refused for the moment, and small ones are served', async () => {
    const { connect, server, expectHealthy } = await listenSubject({ limits: { bodiesBytes: 3 * MEGABYTE } });
    const waiting: RawSocket[] = [];
    for (let count = 0; count < 2; count += 1) {
      const connection = await connect();
      waiting.push(connection);
      connection.write(head('POST /a2a HTTP/1.1', [...V1, announced(2 * MEGABYTE)]));
      await send(connection, MEGABYTE);
      await eventually(() => heldBy(server)).toBe((count + 1) * MEGABYTE);
    }
    const late = await connect();
    late.write(head('POST /a2a HTTP/1.1', [...V1, announced(2 * MEGABYTE)]));
    await send(late, 2 * MEGABYTE);
    const { status, headers, body } = await late.response();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect((JSON.parse(body) as Wire).error.message).toContain('come back');
    await expectHealthy();
    for (const { socket } of waiting) socket.destroy();
    await eventually(() => heldBy(server)).toBe(0);
  });

  it('are let go of when they are read, while a blocking send still waits', async () => {
    const release = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const agent = agentOf(async () => {
      begun.resolve();
      await release.promise;
      return 'done';
    });
    const server = new A2AServer({ agents: [agent] });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const params = sendParams('x'.repeat(2 * MEGABYTE));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'SendMessage', params });
    const connection = await open(server);
    connection.write(head('POST /a2a HTTP/1.1', [...V1, announced(body.length)]) + body);
    await begun.promise;
    expect(heldBy(server)).toBe(0);
    release.resolve();
    expect((JSON.parse((await connection.response()).body) as Wire).result.task.status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  it('must arrive within bodyTimeout: 408 in the shape of the binding, and the connection is closed', async () => {
    const { connect, expectHealthy } = await listenSubject({ limits: { bodyTimeout: 50 } });
    for (const path of ['/a2a', '/a2a/message:send']) {
      const connection = await connect();
      connection.write(`${head(`POST ${path} HTTP/1.1`, [...V1, announced(1000)])}{"jsonrpc"`);
      const { status, body } = await connection.response();
      expect(status).toBe(408);
      const { jsonrpc, error }: Wire = JSON.parse(body);
      expect([jsonrpc, error.message]).toEqual([path === '/a2a' ? '2.0' : undefined, expect.stringContaining('50 ms')]);
      expect(await connection.closed()).toBe(true);
    }
    await expectHealthy();
  });
});
