import { complete, inputRequired, memory, type TaskContext } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { brings, idsOf, payloadsOf, shows, stateOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { type OpenStream, type RpcFrame, type RpcPeer, sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

/** An agent that lets the test write for it. */
function puppet() {
  const started = gate<TaskContext>();
  const ended = gate();
  const agent = agentOf(async (task) => {
    started.resolve(task);
    await ended.promise;
  });
  return { agent, started: started.promise, end: ended.resolve };
}

async function subscribers(peer: RpcPeer, id: string, count: number): Promise<OpenStream[]> {
  return Promise.all(Array.from({ length: count }, () => peer.open('SubscribeToTask', { id })));
}

describe('several streams of one task', () => {
  it('get every event, with equal payloads in the same order [rule:stream.broadcast]', async () => {
    const { agent, started, end } = puppet();
    const { peer } = startServer(agent);
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const task = await started;
    await sent.until(shows('TASK_STATE_WORKING'));
    const early = await subscribers(peer, task.id, 5);
    for (let piece = 0; piece < 200; piece += 1) {
      await task.write(`${piece} `);
      if (piece % 50 === 0) await task.status(`at ${piece}`);
      if (piece % 20 === 0) await pause(1);
    }
    const late = await subscribers(peer, task.id, 5);
    await task.artifact({ artifactId: 'last' }).write('and the end');
    end();
    const reference = await sent.rest();
    expect(payloadsOf(reference).length).toBeGreaterThan(200);
    for (const stream of early) {
      const [snapshot, ...updates] = await stream.rest();
      expect(stateOf(snapshot)).toBe('TASK_STATE_WORKING');
      expect(payloadsOf(updates)).toEqual(payloadsOf(reference));
      expect(idsOf(updates)).toEqual(idsOf(reference));
    }
    for (const stream of late) {
      const [snapshot, ...updates] = await stream.rest();
      const tail = reference.filter((frame) => (frame.id ?? 0) > (snapshot?.id ?? 0));
      expect(payloadsOf(updates)).toEqual(payloadsOf(tail));
      expect(textOfTask(snapshot?.result.task) + textOfStream(updates)).toBe(textOfStream(reference));
    }
  });

  it('that are opened while nothing happens are equal [rule:stream.broadcast]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'go' ? inputRequired('more?') : 'done')));
    const { id } = await peer.send('go');
    const streams = await subscribers(peer, id, 3);
    await peer.send('yes', { taskId: id });
    const [first, ...others] = await Promise.all(streams.map(async (stream) => payloadsOf(await stream.rest())));
    expect(first?.length).toBeGreaterThan(2);
    for (const other of others) expect(other).toEqual(first);
  });

  it('go on when one of them is closed, and so does the task [rule:stream.close-one]', async () => {
    const { agent, started, end } = puppet();
    const { peer, server } = startServer(agent);
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const task = await started;
    await sent.until(shows('TASK_STATE_WORKING'));
    const [leaves, stays] = await subscribers(peer, task.id, 2);
    await task.write('one ');
    await leaves?.until(brings('one '));
    await leaves?.close();
    await eventually(() => server.load.subscriptions).toBe(2);
    await task.write('two ');
    await sent.close();
    await eventually(() => server.load.subscriptions).toBe(1);
    await task.write('three');
    end();
    const frames = await stays?.rest();
    expect(textOfStream(frames ?? [])).toBe('one two three');
    expect(stateOf(frames?.at(-1))).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(await peer.call('GetTask', { id: task.id }))).toBe('one two three');
  });

  it('do not wait for one that never reads [rule:stream.slow-reader]', async () => {
    const pieces = Array.from({ length: 2000 }, (_, index) => `${index} `.padStart(512, '.'));
    const { agent, started, end } = puppet();
    const { peer, server } = startServer(agent);
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const task = await started;
    const silent = await peer.open('SubscribeToTask', { id: task.id });
    const reads = sent.rest();
    for (const piece of pieces) await task.write(piece);
    end();
    expect(textOfStream(await reads)).toBe(pieces.join(''));
    expect((await peer.call('GetTask', { id: task.id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(server.load.subscriptions).toBe(1);
    const late = await silent.rest();
    expect(textOfStream(late)).toBe(pieces.join(''));
    expect(stateOf(late.at(-1))).toBe('TASK_STATE_COMPLETED');
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});

describe('readers that have fallen behind what is held in memory', () => {
  const PENDING = 64;
  const stores = { memory: () => memory(), 'an SQLite file': () => sqlite(tempFile(), { synchronous: 'off' }) };
  for (const [name, store] of Object.entries(stores)) {
    it(`read the log in ${name} and lose nothing [rule:stream.slow-reader] [rule:stream.broadcast]`, async () => {
      const { agent, started, end } = puppet();
      const { peer } = startServer(agent, { store: store(), limits: { recentBytes: 2000, pendingEvents: PENDING } });
      const sent = await peer.open('SendStreamingMessage', sendParams('go'));
      const task = await started;
      const readings: Promise<RpcFrame[]>[] = [sent.rest()];
      const slow = await peer.open('SubscribeToTask', { id: task.id }, { 'last-event-id': '0' });
      for (let piece = 0; piece < 300; piece += 1) {
        await task.write(`${piece} `);
        if (piece % 30 === 0) await slow.next();
        if (piece % 10 !== 0) continue;
        // At most so many events are not yet committed, so this one is.
        const position = String(Math.max(0, piece - PENDING - 16));
        const resumed = await peer.open('SubscribeToTask', { id: task.id }, { 'last-event-id': position });
        readings.push(resumed.rest());
        await pause(1);
      }
      end();
      readings.push(slow.rest());
      const [first, ...others] = await Promise.all(readings);
      const whole = first?.slice(1) ?? [];
      expect(whole.length).toBeGreaterThan(300);
      for (const frames of others) {
        expect(payloadsOf(frames)).toEqual(payloadsOf(whole.slice(-frames.length)));
        expect(idsOf(frames)).toEqual(idsOf(whole.slice(-frames.length)));
      }
      expect(others.at(-1)).toHaveLength(whole.length - 10);
    });
  }
});

describe('what a run emits after the end', () => {
  const late = async (task: TaskContext) => {
    const tries = [
      () => task.write('late text'),
      () => task.status('late status'),
      () => task.artifact({ artifactId: 'late' }).write('late artifact'),
      () => task.artifact({ artifactId: 'late' }).end('late artifact'),
      () => task.ask('late question?'),
    ];
    for (const attempt of tries) await attempt().catch(() => {});
    task.messages().take();
  };

  it('reaches no stream and no stored task once it has completed [rule:stream.nothing-after-terminal]', async () => {
    const kept = gate<TaskContext>();
    const { peer, logged } = startServer(
      agentOf((task) => {
        kept.resolve(task);
        return complete('that was it');
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const { id } = frames[0]?.result.task ?? {};
    const before = await peer.call('GetTask', { id });
    await late(await kept.promise);
    await pause(20);
    expect(await peer.call('GetTask', { id })).toEqual(before);
    const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(idsOf(replay)).toEqual(idsOf(frames.slice(1)));
    expect(JSON.stringify(replay)).not.toContain('late');
    expect(logged).toEqual([]);
  });

  it('reaches no one after it has failed, timed out or been canceled [rule:stream.nothing-after-terminal]', async () => {
    const endings: Readonly<Record<string, string>> = {
      fail: 'TASK_STATE_FAILED',
      'time out': 'TASK_STATE_FAILED',
      cancel: 'TASK_STATE_CANCELED',
    };
    const lateWrites: Promise<void>[] = [];
    const { peer } = startServer(
      agentOf((task) => {
        if (task.text === 'fail') {
          lateWrites.push(pause(20).then(() => late(task)));
          throw new Error('inner');
        }
        lateWrites.push(
          hang(task)
            .catch(() => pause(20))
            .then(() => late(task)),
        );
        // It does not notice that it is aborted.
        return new Promise(() => {});
      }),
      { limits: { inactivityTimeout: 1_000 } },
    );
    for (const [ending, state] of Object.entries(endings)) {
      const { id } = await peer.send(ending, {}, { returnImmediately: true });
      if (ending === 'cancel') await peer.call('CancelTask', { id });
      await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe(state);
      const before = await peer.call('GetTask', { id });
      await lateWrites.at(-1);
      await pause(20);
      expect(await peer.call('GetTask', { id })).toEqual(before);
      const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
      expect(stateOf(replay.at(-1))).toBe(state);
      expect(JSON.stringify(replay)).not.toContain('late');
    }
  });
});
