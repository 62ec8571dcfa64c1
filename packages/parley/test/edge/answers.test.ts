import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WholeResponse } from '../../src/bindings/grpc/serving/frames.ts';
import { CORE } from '../../src/server/core/hosted.ts';
import { HeldResponses, PIECE } from '../../src/server/http/held/held-responses.ts';
import { head, open } from '../bad-input/support/raw-socket.ts';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const MEGABYTE = 1024 * 1024;
const V1 = ['A2A-Version: 1.0'];

async function withLargeTask(text: string, options: Partial<A2AServerOptions> = {}) {
  const server = new A2AServer({ agents: [agentOf(() => text)], ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  const { task } = (await send(server)).result;
  return { server, path: `/a2a/tasks/${task.id as string}` };
}

async function send(server: A2AServer): Promise<Wire> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: sendParams('go', {}, { returnImmediately: true }),
  };
  const headers = { 'a2a-version': '1.0', 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/a2a`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Wire;
}

/** The length of all responses that wait for their readers. */
const waiting = (server: A2AServer) => server[CORE].responses.size;

const done = async (server: A2AServer, path: string): Promise<Wire> => {
  const response = await fetch(`${server.url}${path}`, { headers: { 'a2a-version': '1.0' } });
  return (await response.json()) as Wire;
};

describe('a long response', () => {
  it('comes whole, with its length, whatever its characters', async () => {
    const text = `${'x'.repeat(PIECE - 200)}${'😀é'.repeat(PIECE)}`;
    const { server, path } = await withLargeTask(text);
    await eventually(async () => (await done(server, path)).status.state).toBe('TASK_STATE_COMPLETED');
    const response = await fetch(`${server.url}${path}`, { headers: { 'a2a-version': '1.0' } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(JSON.parse(bytes.toString()).artifacts[0].parts).toEqual([{ text }]);
    const web = await server.fetch(new Request(`http://localhost${path}`, { headers: { 'a2a-version': '1.0' } }));
    expect(((await web.json()) as Wire).artifacts[0].parts).toEqual([{ text }]);
  });

  it('is cut after stallTimeout where its client does not read, and so is its memory', async () => {
    const { server, path } = await withLargeTask('x'.repeat(32 * MEGABYTE), { limits: { stallTimeout: 500 } });
    await eventually(() => server.load.tasks).toBe(0);
    const connection = await open(server);
    connection.socket.pause();
    connection.write(head(`GET ${path} HTTP/1.1`, V1));
    const closed = new Promise((resolve) => connection.socket.once('close', resolve));
    await eventually(() => waiting(server)).toBeGreaterThan(0);
    await eventually(() => waiting(server)).toBe(0);
    // What the kernel has buffered is read in the end; the rest never comes.
    connection.socket.resume();
    await closed;
    expect(connection.received.length).toBeLessThan(32 * MEGABYTE);
  });

  it('does not pile up: beyond responsesBytes clients that do not read are told to come back', async () => {
    const limits = { responsesBytes: 20 * MEGABYTE };
    const { server, path } = await withLargeTask('x'.repeat(8 * MEGABYTE), { limits });
    await eventually(async () => (await done(server, path)).status.state).toBe('TASK_STATE_COMPLETED');
    const before = process.memoryUsage().rss;
    const connections = [];
    for (let count = 0; count < 40; count += 1) {
      const connection = await open(server);
      connection.socket.pause();
      connection.write(head(`GET ${path} HTTP/1.1`, V1));
      connections.push(connection);
    }
    // Two fit; the others get the short refusal.
    const refused = connections.slice(2).map(async (connection) => {
      connection.socket.resume();
      return connection.response();
    });
    for (const response of await Promise.all(refused)) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect((JSON.parse(response.body) as Wire).error.message).toContain('come back');
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * MEGABYTE);
    // A short response is there all the same, and a long one when the others are gone.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const { socket } of connections) socket.destroy();
    await eventually(async () => (await done(server, path)).status?.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('the room for long responses', () => {
  it('is there for one alone, of any length, and is given back at the end and when it is closed', () => {
    const answers = new HeldResponses({ responsesBytes: 10 }, () => 0);
    const first = answers.pace('x'.repeat(PIECE + 1));
    expect(answers.pace('y')).toBeUndefined();
    expect([first?.read()?.length, first?.read()?.length, first?.read()]).toEqual([PIECE, 1, undefined]);
    expect(answers.size).toBe(0);
    answers.pace('y')?.close();
    expect(answers.size).toBe(0);
  });

  it('is taken from a reader that has stopped reading, for one that wants it', () => {
    let now = 0;
    const answers = new HeldResponses({ responsesBytes: 10 }, () => now);
    const cut = vi.fn();
    const stalled = answers.pace('x'.repeat(10));
    if (stalled) stalled.onClose = cut;
    now = 9_000;
    expect(answers.pace('y')).toBeUndefined();
    now = 10_001;
    expect(answers.pace('y')?.whole).toBe('y');
    expect([cut.mock.calls.length, stalled?.isComplete, answers.size]).toEqual([1, false, 1]);
  });

  it('is there for messages of bytes as for texts, whose pieces are all of it', () => {
    const answers = new HeldResponses({ responsesBytes: 10 }, () => 0);
    const bytes = new Uint8Array(PIECE + 7).fill(0x80);
    const paced = answers.paceBytes(new WholeResponse(bytes), bytes.length);
    expect(answers.pace('y')).toBeUndefined();
    expect([paced?.read()?.length, paced?.read()?.length, paced?.isComplete]).toEqual([PIECE, 7, true]);
    expect([paced?.read(), answers.size]).toEqual([undefined, 0]);
    const cut = answers.paceBytes(new WholeResponse(bytes), bytes.length);
    cut?.read();
    cut?.close();
    expect([cut?.read(), cut?.isComplete, answers.size]).toEqual([undefined, false, 0]);
  });

  it('never splits a character', () => {
    const answers = new HeldResponses({ responsesBytes: 10 }, () => 0);
    const text = `${'x'.repeat(PIECE - 1)}😀${'y'.repeat(10)}`;
    const paced = answers.pace(text);
    expect([paced?.read()?.length, paced?.read()]).toEqual([PIECE + 1, 'y'.repeat(10)]);
  });
});
