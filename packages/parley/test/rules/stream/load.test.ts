import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { idsOf, payloadsOf, shows, stateOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { settle } from '../../support/manual-clock.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, pause } from '../../support/script.ts';
import { gatedStore } from '../../support/stores/gated-store.ts';

/** The loop of a busy machine stands still for a while now and then; one that is starved does so for as long as the agent writes. */
const LONGEST_STALL_MS = 10_000;

describe('what is not committed', () => {
  it('is shown by no stream and no reply [rule:stream.commit-first]', async () => {
    const { store, hold, release } = gatedStore();
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'first';
        await go.promise;
        yield ' second';
      }),
      { store },
    );
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const { id } = (await sent.next())?.result.task ?? {};
    await eventually(async () => textOfTask(await peer.call('GetTask', { id }))).toBe('first');
    const subscriber = await peer.open('SubscribeToTask', { id });
    await subscriber.next();
    hold();
    go.resolve();
    await settle();
    const arrived: Wire[] = [];
    const reading = Promise.all([
      sent.until((frame) => arrived.push(frame) > 100),
      subscriber.until((frame) => arrived.push(frame) > 100),
    ]);
    await pause(30);
    expect(JSON.stringify(arrived)).not.toContain('second');
    expect(JSON.stringify(arrived)).not.toContain('COMPLETED');
    const seen = await peer.call('GetTask', { id });
    expect(seen.status.state).toBe('TASK_STATE_WORKING');
    expect(textOfTask(seen)).toBe('first');
    const resumed = await peer.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    release();
    await reading;
    expect(textOfStream(await resumed.rest())).toBe('first second');
    expect(textOfTask(await peer.call('GetTask', { id }))).toBe('first second');
  });

  for (const configuration of [{}, { returnImmediately: true }]) {
    it(`is not answered, with ${JSON.stringify(configuration)} [rule:stream.commit-first]`, async () => {
      const { store, hold, release } = gatedStore();
      const started = gate<string>();
      const { peer } = startServer(
        agentOf((task) => {
          started.resolve(task.id);
          return 'done';
        }),
        { store },
      );
      hold();
      let answer: Wire;
      const sent = peer.send('go', {}, configuration).then((task) => {
        answer = task;
      });
      await pause(30);
      expect(answer).toBeUndefined();
      const id = await started.promise;
      expect((await peer.error('GetTask', { id })).code).toBe(-32001);
      expect((await peer.error('SubscribeToTask', { id })).code).toBe(-32001);
      expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
      release();
      await sent;
      expect(answer.id).toBeTypeOf('string');
    });
  }

  it('is not answered by a cancel either [rule:stream.commit-first]', async () => {
    const { store, hold, release } = gatedStore();
    const { peer } = startServer(
      agentOf(() => new Promise(() => {})),
      { store },
    );
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    hold();
    let answer: Wire;
    const canceled = peer.call('CancelTask', { id }).then((task) => {
      answer = task;
    });
    await pause(30);
    expect(answer).toBeUndefined();
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    release();
    await canceled;
    expect(answer.status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('an agent that writes faster than the store commits', () => {
  it('waits at 256 events that are not committed [rule:stream.backpressure]', async () => {
    const { store, hold, release } = gatedStore();
    let written = 0;
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'start ';
        await go.promise;
        for (; written < 1000; written += 1) yield '.';
      }),
      { store },
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    await stream.until((frame) => frame.result.artifactUpdate !== undefined);
    hold();
    go.resolve();
    await eventually(() => written).toBeGreaterThan(10);
    await pause(50);
    expect(written).toBeLessThanOrEqual(256);
    const before = written;
    await pause(20);
    expect(written).toBe(before);
    release();
    expect(textOfStream(await stream.rest())).toBe('.'.repeat(1000));
  });

  it('waits at 64 KB that are not committed, whichever way it writes [rule:stream.backpressure]', async () => {
    const piece = '.'.repeat(16 * 1024);
    for (const way of ['write', 'artifact', 'status']) {
      const { store, hold, release } = gatedStore();
      let written = 0;
      const go = gate();
      const { peer } = startServer(
        agentOf(async (task) => {
          await go.promise;
          const artifact = task.artifact({ artifactId: 'a' });
          for (; written < 30; written += 1) {
            if (way === 'write') await task.write(piece);
            else if (way === 'artifact') await artifact.write(piece);
            else await task.status(piece);
          }
        }),
        { store },
      );
      const { id } = await peer.send('go', {}, { returnImmediately: true });
      hold();
      go.resolve();
      await pause(30);
      expect(written).toBeLessThanOrEqual(4);
      release();
      await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
      expect(written).toBe(30);
      const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
      expect(JSON.stringify(payloadsOf(replay)).split(piece)).toHaveLength(31);
    }
  });

  it('never has much more than 64 KB in one commit [rule:stream.backpressure]', async () => {
    const { store, entries } = gatedStore();
    const { peer } = startServer(
      agentOf(async (task) => {
        for (let piece = 0; piece < 64; piece += 1) await task.write('.'.repeat(16 * 1024));
      }),
      { store },
    );
    expect(textOfTask(await peer.send('go'))).toHaveLength(1024 * 1024);
    const sizes = entries.map((entry) => (entry.kind === 'task' ? JSON.stringify(entry.events).length : 0));
    expect(sizes.length).toBeGreaterThan(8);
    expect(Math.max(...sizes)).toBeLessThan(128 * 1024);
  });
});

describe('a generator that never awaits', () => {
  const COUNT = 20_000;
  const text = Array.from({ length: COUNT }, (_, index) => `${index} `).join('');
  const generators: Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>> = {
    'an async generator': async function* () {
      for (let index = 0; index < COUNT; index += 1) yield `${index} `;
    },
    'a plain generator': function* () {
      for (let index = 0; index < COUNT; index += 1) yield `${index} `;
    },
  };

  for (const [name, generate] of Object.entries(generators)) {
    it(`does not starve the loop: ${name} [rule:stream.backpressure]`, async () => {
      const running = gate();
      let done = false;
      const { peer } = startServer([
        agentOf(async function* () {
          running.resolve();
          yield* generate() as AsyncIterable<string>;
          done = true;
        }),
        agentOf(() => 'quick', { name: 'other' }),
      ]);
      const other = peer.at('/a2a/agents/other');
      const stream = await peer.open('SendStreamingMessage', sendParams('go'));
      const reading = stream.rest();
      await running.promise;
      let ticks = 0;
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        ticks += 1;
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      let served = 0;
      while (!done) {
        expect(textOfTask(await other.send('go'))).toBe('quick');
        if (!done) served += 1;
      }
      clearInterval(timer);
      expect(served).toBeGreaterThan(5);
      expect(ticks).toBeGreaterThan(5);
      expect(longest).toBeLessThan(LONGEST_STALL_MS);
      const frames = await reading;
      expect(textOfStream(frames)).toBe(text);
      expect(stateOf(frames.at(-1))).toBe('TASK_STATE_COMPLETED');
      const ids = idsOf(frames).slice(1);
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 3));
      const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
      expect(task.artifacts[0].parts).toEqual([{ text }]);
    });
  }

  it('does not starve the loop with nothing but empty strings [rule:stream.backpressure]', async () => {
    let fired = false;
    const { peer } = startServer(
      agentOf(async function* () {
        setTimeout(() => {
          fired = true;
        }, 5);
        // Bounded, so that a server which starves fails this test instead of hanging it.
        for (let index = 0; index < 3_000_000 && !fired; index += 1) yield '';
        yield String(fired);
      }),
    );
    expect(textOfTask(await peer.send('go'))).toBe('true');
  });

  it('can be canceled [rule:cancel.at-once]', async () => {
    let yielded = 0;
    const { peer } = startServer(
      agentOf(async function* () {
        for (;;) {
          yielded += 1;
          yield '.';
        }
      }),
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const { id } = (await stream.next())?.result.task ?? {};
    await stream.until(shows('TASK_STATE_WORKING'));
    expect((await peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    const stopped = yielded;
    await pause(20);
    expect(yielded).toBeLessThanOrEqual(stopped + 1);
    expect(stateOf((await stream.rest()).at(-1))).toBe('TASK_STATE_CANCELED');
  });
});
