import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { brings, stateOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { bareRequest, listening } from '../../support/http/sockets.ts';
import { type OpenStream, RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, pause } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

/** An agent that writes a piece, waits for the test, and ends. */
function slowAgent() {
  const go = gate();
  const agent = agentOf(async function* () {
    yield 'before ';
    await go.promise;
    yield 'after';
  });
  return { agent, go: go.resolve };
}

async function finished(peer: RpcPeer, id: string): Promise<Wire> {
  const get = () => peer.call('GetTask', { id });
  await eventually(get).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  return get();
}

describe('a client that goes away', () => {
  it('in the middle of a stream is forgotten at once, and the task goes on (S0.11) [rule:send.disconnect]', async () => {
    const { agent, go } = slowAgent();
    const { server } = startServer(agent);
    const peer = await listening(server);
    const abort = new AbortController();
    const leaving = new RpcPeer((request) => fetch(request, { signal: abort.signal }), `${server.url}/a2a`);
    const stream = await leaving.open('SendStreamingMessage', sendParams('go'));
    const frames = await stream.until(brings('before '));
    const { id } = frames[0]?.result.task ?? {};
    expect(server.load.subscriptions).toBe(1);
    abort.abort();
    await eventually(() => server.load.subscriptions).toBe(0);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    go();
    expect(textOfTask(await finished(peer, id))).toBe('before after');
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(frames.at(-1)?.id) });
    expect(textOfStream(rest)).toBe('after');
  });

  it('in the middle of a blocking send does not stop the task (S0.11) [rule:send.disconnect]', async () => {
    const { agent, go } = slowAgent();
    const { server } = startServer(agent);
    const peer = await listening(server);
    const request = await bareRequest(server, 'SendMessage', sendParams('go', { contextId: 'talk' }));
    const listed = async () => (await peer.call('ListTasks', { contextId: 'talk' })).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    const id = await listed();
    request.destroy();
    await eventually(() => server.load.subscriptions).toBe(0);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    go();
    expect(textOfTask(await finished(peer, id))).toBe('before after');
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('before the first event does not stop the task either [rule:send.disconnect]', async () => {
    const started = gate<string>();
    const { server } = startServer(
      agentOf(async (task) => {
        started.resolve(task.id);
        await pause(50);
        return 'done';
      }),
      { limits: { replyWindow: 20 } },
    );
    const peer = await listening(server);
    const request = await bareRequest(server, 'SendStreamingMessage', sendParams('go'));
    const id = await started.promise;
    request.destroy();
    await eventually(() => peer.respond('GetTask', { id })).toHaveProperty('result');
    expect(textOfTask(await finished(peer, id))).toBe('done');
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('from an idle subscription is noticed without any event [rule:stream.close-one]', async () => {
    const { server } = startServer(agentOf(async (task) => task.ask('Which one?')));
    const peer = await listening(server);
    const { id } = await peer.send('go');
    const requests = await Promise.all(Array.from({ length: 5 }, () => bareRequest(server, 'SubscribeToTask', { id })));
    const stays = await peer.open('SubscribeToTask', { id });
    await eventually(() => server.load.subscriptions).toBe(6);
    for (const request of requests) request.destroy();
    await eventually(() => server.load.subscriptions).toBe(1);
    await peer.send('this', { taskId: id });
    expect(stateOf((await stays.rest()).at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('while it does not read is noticed as well [rule:stream.slow-reader]', async () => {
    const { server } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 512; index += 1) yield '.'.repeat(32 * 1024);
      }),
    );
    const peer = await listening(server);
    const request = await bareRequest(server, 'SendStreamingMessage', sendParams('go'));
    const listed = async () => (await peer.call('ListTasks', {})).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    await finished(peer, await listed());
    expect(server.load.subscriptions).toBe(1);
    request.destroy();
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});

describe('a client that does not read its socket', () => {
  it('is let go by the stream limit like any other [rule:stream.limit]', async () => {
    const { server } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 512; index += 1) yield '.'.repeat(32 * 1024);
      }),
      { limits: { streamTimeout: 200 } },
    );
    await listening(server);
    await bareRequest(server, 'SendStreamingMessage', sendParams('go'));
    await eventually(() => server.load.subscriptions).toBe(1);
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  const PIECES = 800;
  const PIECE = 64 * 1024;
  const pieceOf = (index: number) => `${index}`.padEnd(PIECE, '.');

  function writer() {
    const go = gate();
    const agent = agentOf(async function* () {
      await go.promise;
      for (let index = 0; index < PIECES; index += 1) yield pieceOf(index);
    });
    return { agent, go: go.resolve };
  }

  /** What is held in memory once the collector has run, in bytes. */
  function heldMemory(): number {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    collect();
    const { heapUsed, external } = memoryUsage();
    return heapUsed + external;
  }

  /** Reads a stream to its end, keeping none of it; gives how many pieces came, all of them in their order. */
  async function readPieces(stream: OpenStream): Promise<number> {
    let count = 0;
    for (let frame = await stream.next(); frame; frame = await stream.next()) {
      const text: string | undefined = frame.result.artifactUpdate?.artifact.parts[0].text;
      if (!text) continue;
      expect(text.startsWith(`${count}.`)).toBe(true);
      count += 1;
    }
    return count;
  }

  /** Another reader gets 50 MB while this one reads, or does not; when all is written, none of it is held in memory. */
  async function writeWhileItself(kind: 'reads' | 'stalls'): Promise<void> {
    const { agent, go } = writer();
    const { server } = startServer(agent, { store: sqlite(tempFile(), { synchronous: 'off' }) });
    const peer = await listening(server);
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const watcher = await peer.open('SubscribeToTask', { id });
    const request = kind === 'stalls' ? await bareRequest(server, 'SubscribeToTask', { id }) : undefined;
    const reads = kind === 'reads' ? readPieces(await peer.open('SubscribeToTask', { id })) : undefined;
    await eventually(() => server.load.subscriptions).toBe(2);
    const before = heldMemory();
    go();
    expect(await readPieces(watcher)).toBe(PIECES);
    if (reads) expect(await reads).toBe(PIECES);
    await eventually(() => (heldMemory() - before) / 1024 / 1024).toBeLessThan(16);
    if (request) {
      expect(server.load.subscriptions).toBe(1);
      const body = await request.body();
      const pieces = [...body.matchAll(/"text":"(\d+)\.+"/g)].map((match) => Number(match[1]));
      expect(pieces).toEqual(Array.from({ length: PIECES }, (_, index) => index));
      expect(body).toContain('TASK_STATE_COMPLETED');
    }
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  }

  for (const kind of ['reads', 'stalls'] as const) {
    const title = `costs as little memory when it ${kind}, delays nobody and loses nothing of 50 MB`;
    it(`${title} [rule:stream.slow-reader]`, () => writeWhileItself(kind));
  }
});
