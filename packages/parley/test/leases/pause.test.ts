import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/model/parts.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, userMessage } from '../engine/support/puppet.ts';
import { ALL, chunk, collect, Nodes, start } from './support/nodes.ts';
import { settle } from './support/world.ts';

const HOUR = 3_600_000;

async function two(options: Partial<ConstructorParameters<typeof Nodes>[0]> = {}) {
  const puppets = new Puppeteer();
  const nodes = new Nodes({ runner: puppets, ...options });
  const [one, other] = [await nodes.open(), await nodes.open()];
  return { puppets, nodes, one, other };
}

describe('a node that was stopped for longer than its lease', () => {
  it('answers reads from the store before it has renewed anything', async () => {
    const { puppets, nodes, one, other } = await two();
    const task = await start(one.engine);
    await puppets.of(task.id).handle.output.chunk(chunk('before'));
    await settle();
    one.clock.stop();
    await nodes.world.pass(15_000);
    expect((await other.engine.get(SCOPE, { id: task.id })).status.state).toBe('failed');
    one.clock.goOn();
    // No timer of the node has come yet: it has not heard that its task was taken over.
    const seen = await one.engine.get(SCOPE, { id: task.id });
    expect(seen.status.state).toBe('failed');
    expect(seen).toEqual(await other.engine.get(SCOPE, { id: task.id }));
    const stream = await one.engine.subscribe(SCOPE, task.id, { after: 3 });
    const { events, done } = collect(stream);
    await done;
    expect(events).toEqual(await nodes.store.read(task.id, 3, ALL));
  });

  it('aborts runs that were taken over, drops what they write, and its streams go on behind what they had', async () => {
    const { puppets, nodes, one } = await two();
    const task = await start(one.engine);
    const { handle } = puppets.of(task.id);
    const live = collect(await one.engine.subscribe(SCOPE, task.id, { after: 0 }));
    const blocking = one.engine.send(sendCall(userMessage('wait', { taskId: task.id }), { returnImmediately: false }));
    await handle.output.chunk(chunk('before '));
    await settle();
    one.clock.stop();
    handle.output.chunk(chunk('lost'))?.catch(() => {});
    await nodes.world.pass(15_000);
    expect(handle.signal.aborted).toBe(false);
    one.clock.goOn();
    await nodes.world.pass(5_000);
    expect(handle.signal.aborted).toBe(true);
    await live.done;
    expect((await blocking) as unknown).toMatchObject({ status: { state: 'failed' } });
    const log = await nodes.store.read(task.id, 0, ALL);
    expect(live.events).toEqual(log);
    expect(log.at(-1)).toMatchObject({ kind: 'status', status: { state: 'failed' } });
    expect(textOf((await one.engine.get(SCOPE, { id: task.id })).artifacts[0]?.parts ?? [])).toBe('before ');
    expect(one.engine.load).toMatchObject({ tasks: 0 });
  });

  it('goes on with what nobody has taken, under the next number of its lease', async () => {
    const puppets = new Puppeteer();
    const nodes = new Nodes({ runner: puppets });
    const one = await nodes.open();
    const task = await start(one.engine);
    const { handle, end } = puppets.of(task.id);
    await settle();
    const before = await nodes.store.head(task.id);
    one.clock.stop();
    await nodes.world.pass(60_000);
    one.clock.goOn();
    await nodes.world.pass(1_000);
    const after = await nodes.store.head(task.id);
    expect(after?.lease).toEqual({ number: (before?.lease.number ?? 0) + 1, node: before?.lease.node });
    expect(handle.signal.aborted).toBe(false);
    await handle.output.chunk(chunk('after'));
    end({ state: 'completed' });
    await settle();
    expect((await one.engine.get(SCOPE, { id: task.id })).status.state).toBe('completed');
  });

  it('takes no new task before it has renewed its heartbeat', async () => {
    const { nodes, one } = await two();
    one.clock.stop();
    await nodes.world.pass(15_000);
    one.clock.goOn();
    one.line.begin('hangs', ['heartbeat']);
    const sending = one.engine.send(sendCall(userMessage('go')));
    sending.catch(() => {});
    await settle();
    expect((await nodes.store.list({ agent: 'puppet', limit: 10 })).total).toBe(0);
    one.line.end();
    await nodes.world.pass(1_000);
    expect(await sending).toMatchObject({ status: { state: 'working' } });
    await nodes.world.pass(5_000);
    expect((await nodes.store.list({ agent: 'puppet', limit: 10, state: 'working' })).total).toBe(1);
  });

  it('begins no turn before it has renewed its heartbeat', async () => {
    const { puppets, nodes, one } = await two();
    const task = await start(one.engine);
    await settle();
    const waiting = one.engine.send(sendCall(userMessage('next', { taskId: task.id })));
    waiting.catch(() => {});
    await settle();
    one.clock.stop();
    await nodes.world.pass(15_000);
    one.clock.goOn();
    // The turn ends with a question, and the message that waits would begin the next one.
    puppets.of(task.id).end({ state: 'input-required', message: { parts: [{ kind: 'text', text: 'Which?' }] } });
    await settle();
    expect(puppets.runs).toHaveLength(1);
    await nodes.world.pass(2_000);
    expect(puppets.runs).toHaveLength(1);
  });

  it('begins no step of a run before it has renewed its heartbeat', async () => {
    const { puppets, nodes, one } = await two();
    const task = await start(one.engine);
    const { handle } = puppets.of(task.id);
    await settle();
    one.clock.stop();
    await nodes.world.pass(15_000);
    one.clock.goOn();
    let isDone = false;
    const step = handle.steps.perform('charge', () => {
      isDone = true;
      return Promise.resolve(1);
    });
    step.catch(() => {});
    await settle();
    expect(isDone).toBe(false);
    await nodes.world.pass(2_000);
    await expect(step).rejects.toMatchObject({ name: 'AbortError' });
    expect(isDone).toBe(false);
  });
});

describe('the wall clock of a node', () => {
  it.for([HOUR, -HOUR])('may be set by %i ms: neither it nor others take it for dead', async (jump) => {
    const { puppets, nodes, one } = await two();
    const task = await start(one.engine);
    const { handle, end } = puppets.of(task.id);
    one.clock.skew = jump;
    await nodes.world.pass(30_000);
    expect(handle.signal.aborted).toBe(false);
    end({ state: 'completed' });
    await settle();
    expect((await nodes.store.head(task.id))?.status.state).toBe('completed');
  });

  it('counts where the store has none of its own', async () => {
    const store = () => withStore(memory({ shared: true }), { time: undefined });
    const { puppets, nodes, one, other } = await two({ store });
    const task = await start(one.engine);
    other.clock.skew = HOUR;
    await nodes.world.pass(25_000);
    expect((await nodes.store.head(task.id))?.status.state).toBe('failed');
    // Its next commit is refused, and tells it.
    const { handle } = puppets.of(task.id);
    handle.output.chunk(chunk('late'))?.catch(() => {});
    await settle();
    expect(handle.signal.aborted).toBe(true);
  });
});

describe('the lease of a node', () => {
  it.for([
    [{ leaseLifetime: 0 }, 'limits.leaseLifetime (0 ms) must be at least 100 ms'],
    [{ leaseLifetime: 9000, heartbeatInterval: 5000 }, 'limits.leaseLifetime (9000 ms) must be at least twice'],
    [{ heartbeatInterval: 6000 }, 'limits.heartbeatInterval (6000 ms)'],
  ] as const)('that is too short for its heartbeat is refused: %o', ([limits, text]) => {
    const make = (shared: boolean) => engineOn(memory({ shared }), new Puppeteer(), { limits });
    expect(() => make(true)).toThrow(text);
    // Nobody waits for the heartbeat of the only node.
    expect(() => make(false)).not.toThrow();
  });

  it('brings a heartbeat three times as often as it lasts, in whole milliseconds of the clock of the store', async () => {
    const beats: number[] = [];
    const store = (world: { time: number }) => {
      const inner = memory({ shared: true, now: () => world.time });
      return withStore(inner, {
        heartbeat: (node, until) => {
          beats.push(until - world.time);
          return inner.heartbeat(node, until);
        },
      });
    };
    const nodes = new Nodes({ runner: new Puppeteer(), store, limits: { leaseLifetime: 30_000 } });
    await nodes.open();
    await nodes.world.pass(30_000);
    expect(beats).toEqual([30_000, 30_000, 30_000, 30_000]);
  });
});
