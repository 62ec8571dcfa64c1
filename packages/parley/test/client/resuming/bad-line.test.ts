import { A2AClient, A2AServer, collect, type StreamEvent, type Task, textOf } from 'parley-a2a';
import type { ReconnectInfo } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TaskCollector } from '../../../src/client/stream/collect.ts';
import { Random } from '../../crash/load/random.ts';
import { seedOf } from '../../crash/load/seed.ts';
import { BadLine, type Mishap } from '../../crash/server/proxy.ts';
import { scriptAgent, textOfScript } from '../../crash/server/script-agent.ts';
import { type Binding, ROWS, type Version } from '../../interop/support/rows.ts';
import { countOf } from '../../support/full.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { startOfficial } from '../support/official.ts';

const seed = seedOf();
/** How many streams are read over each version and binding. */
const STREAMS = countOf(20, 200);
const AT_ONCE = 10;

/** Quick, and never tired: each connection of these tests is cut. */
const reconnect = { firstDelay: 1, longestDelay: 10, attempts: 1_000 } as const;
const retry = { firstDelay: 1, longestDelay: 10, attempts: 100 } as const;

/** A connection for each request, so that each meets with its own mishap. */
const separately: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('connection', 'close');
  return fetch(input, { ...init, headers });
};

async function badLine(port: number, next: () => Mishap) {
  const line = new BadLine(port, next);
  const url = await line.listen();
  onTestFinished(() => line.close());
  return { line, url };
}

/** Cards come through whole: the cuts begin when the client is connected. */
function mishaps(random: Random, least: number, most: number) {
  const state = { on: false };
  const next = (): Mishap =>
    state.on
      ? {
          end: random.pick(['cut', 'half-close']),
          endAfter: random.between(least, most),
          piece: random.pick([7, 100, 10_000]),
        }
      : {};
  return { state, next };
}

async function inTurns<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    const round = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => run(start + index));
    results.push(...(await Promise.all(round)));
  }
  return results;
}

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function foldOf(events: readonly StreamEvent[], joinText: boolean): Task | undefined {
  const collector = new TaskCollector({ joinText });
  for (const event of events) collector.apply(event);
  return collector.task;
}

describe(`our server through a bad line, seed ${seed}`, () => {
  it.for(
    ROWS,
  )('gives exactly the events of the log: A2A $version over $binding [rule:resume.client-reconnect]', async ({
    version,
    binding,
  }) => {
    const server = new A2AServer({ agents: [scriptAgent()], anonymous: 'shared' });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const random = new Random(seed, binding.length, version.length + Number(version[0]));
    const { state, next } = mishaps(random, 1, 4000);
    const { line, url } = await badLine(Number(new URL(server.url ?? '').port), next);
    const seen: ReconnectInfo[] = [];
    const options = { prefer: { version, binding } };
    const direct = await A2AClient.connect(server.url ?? '', options);
    const agent = await A2AClient.connect(url, {
      ...options,
      reconnect,
      retry,
      fetch: separately,
      onReconnect: (info) => seen.push(info),
    });
    state.on = true;
    const script = 'count 60 10';
    await inTurns(STREAMS, async () => {
      const stream = agent.sendMessageStream(script);
      const events = await eventsOf(stream);
      const task = await stream.task;
      expect(events.map(({ kind }) => kind).filter((kind) => kind === 'task')).toEqual(['task']);
      // The log as it is without a bad line, from the position of the first event on.
      const whole = await eventsOf(direct.subscribe(task.id, { lastEventId: 0 }));
      const updates = events.slice(1);
      expect(updates).toEqual(whole.slice(whole.length - updates.length));
      expect(foldOf(events, true)).toEqual(task);
      expect(task).toEqual(await direct.getTask(task.id));
      expect(textOf(task)).toBe(textOfScript(script));
    });
    state.on = false;
    expect(line.connections).toBeGreaterThan(2 * STREAMS);
    expect(seen.length).toBeGreaterThan(STREAMS);
    // No send became a second task, however often it was repeated.
    if (version === '1.0') expect((await direct.listTasks()).totalSize).toBe(STREAMS);
  });
});

describe(`the official server through a bad line, seed ${seed}`, () => {
  it.for(
    ROWS.flatMap((row) => [0, 1].map((storeDelay) => ({ ...row, storeDelay }))),
  )("gives what the server's own task says: A2A $version over $binding, store delay $storeDelay [rule:resume.client-plain-server]", async ({
    version,
    binding,
    storeDelay,
  }) => {
    const { url: direct, port } = await startOfficial(storeDelay);
    const random = new Random(seed, binding.length, Number(version[0]));
    // The answer to a send is not cut before the task is known: it could not be repeated.
    const { state, next } = mishaps(random, 1500, 6000);
    const { line, url } = await badLine(port, next);
    const options = { prefer: { version, binding } } as { prefer: { version: Version; binding: Binding } };
    const reference = await A2AClient.connect(direct, options);
    const agent = await A2AClient.connect(url, { ...options, reconnect, retry, fetch: separately });
    state.on = true;
    await inTurns(STREAMS, async (index) => {
      const script = `count ${40 + index} ${[1, 2, 5, 30][index % 4]}`;
      const stream = agent.sendMessageStream(script);
      let text = '';
      const [events] = await Promise.all([
        eventsOf(stream),
        (async () => {
          for await (const piece of stream.textStream) text += piece;
        })(),
      ]);
      const task = await stream.task;
      const own = await reference.getTask(task.id);
      expect(textOf(own)).toBe(textOfScript(script));
      expect(textOf(task)).toBe(textOf(own));
      expect(textOf(foldOf(events, false) ?? '')).toBe(textOf(own));
      expect(task.status).toEqual(own.status);
      expect(text).toBe(textOf(own));
    });
    expect(line.connections).toBeGreaterThan(2 * STREAMS);
  });
});

it(`notices connections that vanish without a word, seed ${seed}`, async () => {
  const server = new A2AServer({ agents: [scriptAgent()], anonymous: 'shared' });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const random = new Random(seed, 5);
  const state = { on: false };
  const next = (): Mishap => (state.on ? { end: 'vanish', endAfter: random.between(1_500, 6_000) } : {});
  const { url } = await badLine(Number(new URL(server.url ?? '').port), next);
  const quick = { ...reconnect, idleTimeout: 1_000 };
  const agent = await A2AClient.connect(url, { reconnect: quick, retry, fetch: separately, timeout: PATIENCE_MS });
  state.on = true;
  await inTurns(10, async () => {
    const task = await agent.sendMessageStream('count 60 10').task;
    expect(textOf(task)).toBe(textOfScript('count 60 10'));
  });
});

it(`says so where a message to the official server may have arrived, seed ${seed}`, async () => {
  const { url: direct, port } = await startOfficial();
  const { state, next } = mishaps(new Random(seed, 6), 1, 4000);
  const { url } = await badLine(port, next);
  const reference = await A2AClient.connect(direct);
  const agent = await A2AClient.connect(url, { reconnect, retry, fetch: separately });
  state.on = true;
  const outcomes = await inTurns(40, async () => {
    const stream = agent.sendMessageStream('count 12 5');
    const outcome = await stream.task.catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({
        code: 'STREAM_INTERRUPTED',
        message: expect.stringContaining('may have arrived'),
      });
      expect(outcome).not.toHaveProperty('received');
      return 'lost';
    }
    const task = outcome as Task;
    expect(task.artifacts).toEqual((await reference.getTask(task.id)).artifacts);
    return 'whole';
  });
  expect(new Set(outcomes)).toEqual(new Set(['lost', 'whole']));
  // None was sent twice.
  expect((await reference.listTasks()).totalSize).toBeLessThanOrEqual(40);
});

it('collects a stream that was cut', async () => {
  const server = new A2AServer({ agents: [scriptAgent()], anonymous: 'shared' });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const { state, next } = mishaps(new Random(seed, 99), 500, 2000);
  const { url } = await badLine(Number(new URL(server.url ?? '').port), next);
  const agent = await A2AClient.connect(url, { reconnect, retry, fetch: separately });
  state.on = true;
  let last: Task | undefined;
  for await (const task of collect(agent.sendMessageStream('count 50 5'))) last = task;
  state.on = false;
  expect(last).toEqual(await agent.getTask(last?.id ?? ''));
});
