import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { A2AClient, type ClientOptions, type StreamEvent } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../../support/patience.ts';
import { pause } from '../../support/script.ts';
import { cardOf } from '../support/recorded.ts';

/** What a server does with a call; cards are served as they should be. */
type Deed = (socket: Socket, body: string) => Promise<void> | void;

const quick = { retry: false, reconnect: { attempts: 1, firstDelay: 1, longestDelay: 1 } } as const;

/** A server on a bare socket, which answers calls as it likes. */
async function serverThat(deed: Deed, more: object = { capabilities: { streaming: true } }): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      const body = received.slice(end + 4);
      received = '';
      if (head.startsWith('GET /.well-known/')) answer(socket, JSON.stringify(card));
      else void deed(socket, body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf({
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    ...more,
  });
  return url;
}

function answer(socket: Socket, body: string): void {
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Begins a stream whose bytes follow as they are. */
function begin(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n');
}

/** Writes the same without an end, as quickly as it is taken. */
async function forEver(socket: Socket, piece: string | Buffer): Promise<void> {
  const taken = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  while (!socket.destroyed) if (!socket.write(piece)) await taken();
}

async function connect(deed: Deed, options: ClientOptions = {}, more?: object) {
  return A2AClient.connect(await serverThat(deed, more), { ...quick, ...options });
}

const taskFrame = (body: string, state = 'TASK_STATE_WORKING') => {
  const { id } = JSON.parse(body);
  const task = { id: 't', contextId: 'c', status: { state, timestamp: '2026-03-01T12:00:00Z' } };
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { task } })}\n\n`;
};

describe('a hostile server', () => {
  it('cannot fill the memory with headers', async () => {
    const agent = await connect((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      return forEver(socket, `x-${'a'.repeat(60)}: ${'b'.repeat(4000)}\r\n`);
    });
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await expect(agent.sendMessageStream('hi').result).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  it('cannot fill the memory with an answer', async () => {
    const agent = await connect(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n[');
        return forEver(socket, ' '.repeat(65_536));
      },
      { limits: { bodyBytes: 1_000_000 } },
    );
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it.for([
    ['one endless line', 'a'.repeat(65_536)],
    ['data without an end', `data: ${'a'.repeat(65_000)}\n`],
    ['binary garbage', Buffer.alloc(65_536, 0xff)],
  ] as const)('cannot fill the memory with a stream: %s', async ([, piece]) => {
    const agent = await connect(
      async (socket, body) => {
        begin(socket);
        socket.write(taskFrame(body));
        await forEver(socket, piece);
      },
      { limits: { eventBytes: 1_000_000 }, timeout: PATIENCE_MS },
    );
    const problem = agent.sendMessageStream('hi').result;
    await expect(problem).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED', received: { id: 't' } });
  });

  it.for([
    301, 302, 303, 307, 308,
  ])('gets nobody to follow it elsewhere with what was entrusted (%s)', async (status) => {
    let visits = 0;
    const thief = await serverThat(() => {
      visits += 1;
    });
    const agent = await connect(
      (socket) => {
        const head = `HTTP/1.1 ${status} Moved\r\nlocation: ${thief}/rpc\r\ncontent-length: 0\r\n\r\n`;
        socket.write(head);
      },
      { headers: { authorization: 'Bearer secret' } },
    );
    await expect(agent.sendMessage('private')).rejects.toMatchObject({ code: 'INVALID_RESPONSE', httpStatus: status });
    await expect(agent.sendMessageStream('private').result).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    expect(visits).toBe(0);
  });

  it('is not waited for without an end', async () => {
    const agent = await connect(() => {});
    await expect(agent.getTask('t', { timeout: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(agent.sendMessageStream('hi', { timeout: 50 }).result).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('is not listened to when it is silent for too long', async () => {
    let calls = 0;
    const agent = await connect(
      (socket, body) => {
        calls += 1;
        begin(socket);
        socket.write(taskFrame(body));
      },
      { reconnect: { attempts: 1, firstDelay: 1, longestDelay: 1, idleTimeout: 300 }, timeout: 3_000 },
      { capabilities: { streaming: true, extensions: [{ uri: 'urn:parley:ext:resume:v1' }] } },
    );
    const problem = agent.sendMessageStream('hi').result;
    await expect(problem).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED', received: { id: 't' } });
    expect(calls).toBeGreaterThan(1);
  });

  it('is listened to while it keeps the connection alive', async () => {
    let calls = 0;
    const agent = await connect(
      async (socket, body) => {
        calls += 1;
        begin(socket);
        socket.write(taskFrame(body));
        for (let index = 0; index < 15; index += 1) {
          await pause(100);
          socket.write(': keep-alive\n\n');
        }
        socket.end(taskFrame(body, 'TASK_STATE_COMPLETED'));
      },
      { reconnect: { ...quick.reconnect, idleTimeout: 1_000 } },
    );
    expect(await agent.sendMessageStream('hi').task).toMatchObject({ status: { state: 'completed' } });
    expect(calls).toBe(1);
  });

  it('cannot make one wait by closing again and again', async () => {
    const agent = await connect((socket, body) => {
      begin(socket);
      socket.end(body.includes('GetTask') ? '' : taskFrame(body));
    });
    const events: StreamEvent[] = [];
    const reading = async () => {
      for await (const event of agent.sendMessageStream('hi')) events.push(event);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED' });
    expect(events).toHaveLength(1);
  });

  it.for([
    ['HTML', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>', 'INVALID_RESPONSE'],
    ['nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'INVALID_RESPONSE'],
    [
      'half of it',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"jsonrpc"',
      'UNREACHABLE',
    ],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'UNREACHABLE'],
    [
      'a bad gateway',
      'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>',
      undefined,
    ],
  ] as const)('gets a typed error for %s', async ([, bytes, code]) => {
    const agent = await connect((socket) => void socket.end(bytes));
    await expect(agent.getTask('t')).rejects.toMatchObject({ name: 'A2AError', ...(code && { code }) });
    await expect(agent.sendMessageStream('hi').result).rejects.toMatchObject({ name: 'A2AError' });
  });

  it('cannot slip another task into a stream unnoticed', async () => {
    const agent = await connect((socket, body) => {
      begin(socket);
      socket.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 'wrong', result: {} })}\n\n${taskFrame(body)}`);
    });
    await expect(agent.sendMessageStream('hi').result).rejects.toMatchObject({ name: 'A2AError' });
  });
});
