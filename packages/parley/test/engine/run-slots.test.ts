import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { RunSlots } from '../../src/engine/turn/run-slots.ts';
import type { Priority } from '../../src/model/operations.ts';
import type { Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

const DONE = { state: 'completed' } as const;

async function started(runs: number, more: { readonly resumable?: boolean } = {}) {
  const clock = manualClock();
  const runner = Object.assign(new Puppeteer(), more);
  const engine = engineOn(memory(), runner, {
    clock,
    drainTimeout: 0,
    limits: { runs: runs, inactivityTimeout: 60_000 },
  });
  await engine.open();
  onTestFinished(() => engine.close());
  return { clock, runner, engine };
}

async function send(engine: Engine, text: string, priority?: Priority): Promise<Task> {
  const task = (await engine.send(sendCall(userMessage(text), { priority }))) as Task;
  await settle();
  return task;
}

const stateOf = async (engine: Engine, { id }: Task) => (await engine.get(SCOPE, { id })).status.state;
const said = (runner: Puppeteer) => runner.runs.map(({ handle }) => (handle.message.parts[0] as { text: string }).text);

describe('the limit of runs on a node', () => {
  it('lets the others wait as submitted, and begins them by priority, then in the order they came (S1.5)', async () => {
    const { engine, runner } = await started(1);
    const first = await send(engine, 'first');
    const waiting = [];
    for (const [text, priority] of [
      ['low', 'low'],
      ['normal 1', undefined],
      ['high 1', 'high'],
      ['normal 2', 'normal'],
      ['high 2', 'high'],
    ] as const) {
      waiting.push(await send(engine, text, priority));
    }
    expect(await stateOf(engine, first)).toBe('working');
    for (const task of waiting) expect(await stateOf(engine, task)).toBe('submitted');
    for (let run = 0; run < 6; run += 1) {
      expect(runner.runs).toHaveLength(run + 1);
      runner.runs[run]?.end(DONE);
      await settle();
    }
    expect(said(runner)).toEqual(['first', 'high 1', 'high 2', 'normal 1', 'normal 2', 'low']);
    for (const task of [first, ...waiting]) expect(await stateOf(engine, task)).toBe('completed');
  });

  it('counts a deadline while the run waits, and nothing else', async () => {
    const { engine, runner, clock } = await started(1);
    await send(engine, 'first');
    const hasDeadline = sendCall(userMessage('hurried'));
    const hurried = (await engine.send({ ...hasDeadline, deadline: clock.now() + 5000 })) as Task;
    const patient = await send(engine, 'patient');
    await clock.advance(5000);
    await settle();
    expect(await stateOf(engine, hurried)).toBe('failed');
    expect((await engine.get(SCOPE, { id: hurried.id })).status.message?.metadata).toMatchObject({
      reason: 'run-timeout',
    });
    void runner.runs[0]?.handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'x' }], streamed: true });
    await clock.advance(58_000);
    await settle();
    expect(await stateOf(engine, patient)).toBe('submitted');
    runner.runs[0]?.end(DONE);
    await settle();
    expect(await stateOf(engine, patient)).toBe('working');
    expect(said(runner)).toEqual(['first', 'patient']);
    // Its own silence counts from its beginning on.
    await clock.advance(59_000);
    expect(await stateOf(engine, patient)).toBe('working');
    await clock.advance(2000);
    await settle();
    expect(await stateOf(engine, patient)).toBe('failed');
  });

  it('cancels what waits at once, and never begins it', async () => {
    const { engine, runner } = await started(1);
    await send(engine, 'first');
    const second = await send(engine, 'second');
    const third = await send(engine, 'third');
    expect((await engine.cancel(SCOPE, { id: second.id })).status.state).toBe('canceled');
    runner.runs[0]?.end(DONE);
    await settle();
    expect(said(runner)).toEqual(['first', 'third']);
    expect(await stateOf(engine, third)).toBe('working');
  });

  it('is given back by a run that waits for its caller, which goes on without queueing', async () => {
    const { engine, runner } = await started(1);
    const asking = await send(engine, 'asking');
    const answer = runner.runs[0]?.handle.questions.ask(
      { parts: [{ kind: 'text', text: 'which?' }] },
      'input-required',
    );
    await settle();
    const second = await send(engine, 'second');
    const third = await send(engine, 'third');
    expect([await stateOf(engine, second), await stateOf(engine, third)]).toEqual(['working', 'submitted']);
    await engine.send(sendCall(userMessage('blue', { taskId: asking.id })));
    expect((await answer)?.parts).toEqual([{ kind: 'text', text: 'blue' }]);
    expect(await stateOf(engine, asking)).toBe('working');
    // Now two work where one may: the first that ends makes no room.
    runner.of(second.id).end(DONE);
    await settle();
    expect(await stateOf(engine, third)).toBe('submitted');
    runner.of(asking.id).end(DONE);
    await settle();
    expect(await stateOf(engine, third)).toBe('working');
  });

  it('is freed by failures, timeouts and cancels of running runs too', async () => {
    const { engine, runner, clock } = await started(1);
    const tasks = [];
    for (const text of ['fails', 'is canceled', 'times out', 'last']) tasks.push(await send(engine, text));
    runner.runs[0]?.fail(new Error('broken'));
    await settle();
    await engine.cancel(SCOPE, { id: tasks[1]?.id ?? '' });
    await settle();
    await clock.advance(61_000);
    await settle();
    expect(said(runner)).toEqual(['fails', 'is canceled', 'times out', 'last']);
  });

  it('holds for later turns of a task, which shows as working meanwhile', async () => {
    const { engine, runner } = await started(1);
    const task = await send(engine, 'first');
    runner.runs[0]?.end({ state: 'input-required', message: { parts: [{ kind: 'text', text: 'more?' }] } });
    await settle();
    await send(engine, 'other');
    await engine.send(sendCall(userMessage('more', { taskId: task.id })));
    await settle();
    expect(said(runner)).toEqual(['first', 'other']);
    expect(await stateOf(engine, task)).toBe('working');
    runner.runs[1]?.end(DONE);
    await settle();
    expect(said(runner)).toEqual(['first', 'other', 'more']);
  });

  it('holds for runs that are taken up after a crash', async () => {
    const store = memory();
    const clock = manualClock();
    const options = { clock, drainTimeout: 0, limits: { runs: 1 } };
    const before = Object.assign(new Puppeteer(), { resumable: true });
    const crashed = engineOn(store, before, { ...options, limits: { ...options.limits, runs: 0 } });
    await crashed.open();
    for (const [text, priority] of [
      ['one', 'low'],
      ['two', 'low'],
      ['three', 'high'],
    ] as const) {
      await crashed.send(sendCall(userMessage(text), { priority }));
    }
    await settle();
    expect(before.runs).toHaveLength(3);
    const runner = Object.assign(new Puppeteer(), { resumable: true });
    const engine = engineOn(store, runner, options);
    await engine.open();
    onTestFinished(() => engine.close());
    await settle();
    const [begun] = said(runner);
    expect(runner.runs).toHaveLength(1);
    for (let run = 0; run < 3; run += 1) {
      runner.runs[run]?.end(DONE);
      await settle();
    }
    expect(said(runner)).toHaveLength(3);
    // Whichever came first, the one of high priority does not wait for both others.
    expect(said(runner).indexOf('three')).toBeLessThan(2);
    expect(['one', 'two', 'three']).toContain(begun);
  });

  it('lets what waited before a crash wait as submitted, and does not give it up for that', async () => {
    const store = memory();
    const start = async () => {
      const runner = Object.assign(new Puppeteer(), { resumable: true });
      const engine = engineOn(store, runner, {
        clock: manualClock(),
        drainTimeout: 0,
        limits: { runs: 1, resumes: 1 },
      });
      await engine.open();
      await settle();
      return { engine, runner };
    };
    const first = await start();
    const working = await send(first.engine, 'works');
    const waiting = await send(first.engine, 'waits');
    const second = await start();
    expect(said(second.runner)).toEqual(['works']);
    expect(await stateOf(second.engine, waiting)).toBe('submitted');
    // A run that is lost again and again fails; one that never began is not one of those.
    const third = await start();
    onTestFinished(() => third.engine.close());
    expect(await stateOf(third.engine, working)).toBe('failed');
    expect(said(third.runner)).toEqual(['waits']);
    expect(await stateOf(third.engine, waiting)).toBe('working');
    third.runner.runs[0]?.end(DONE);
    await settle();
    expect(await stateOf(third.engine, waiting)).toBe('completed');
  });

  it('does not hold up a run that another run of the server waits for', async () => {
    const { engine, runner } = await started(1);
    await send(engine, 'parent');
    const call = sendCall(userMessage('child'));
    await engine.send({ ...call, nested: true });
    await settle();
    expect(said(runner)).toEqual(['parent', 'child']);
  });

  it('is none by default', async () => {
    const { engine, runner } = await started(0);
    for (let run = 0; run < 20; run += 1) await send(engine, String(run));
    expect(runner.runs).toHaveLength(20);
  });
});

it('never lets more work than it may, and forgets nobody, whatever happens', async () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('take' as const), priority: fc.constantFrom<Priority>('low', 'normal', 'high') }),
    fc.record({ do: fc.constantFrom('release' as const, 'pause' as const, 'resume' as const), which: fc.nat(20) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(action, { maxLength: 40 }), async (most, actions) => {
      const slots = new RunSlots(most);
      const taken: { slot: ReturnType<RunSlots['take']>; state: string }[] = [];
      for (const step of actions) {
        if (step.do === 'take') {
          const entry = { slot: undefined as never as ReturnType<RunSlots['take']>, state: 'waiting' };
          const begin = () => {
            expect(entry.state).toBe('waiting');
            entry.state = 'working';
          };
          entry.slot = slots.take({ priority: step.priority, isNested: false, begin });
          if (entry.slot.isGranted) entry.state = 'working';
          taken.push(entry);
        } else {
          const entry = taken[step.which % Math.max(taken.length, 1)];
          entry?.slot[step.do]();
          if (entry && step.do === 'release') entry.state = 'over';
          if (entry && ['working', 'resumed'].includes(entry.state) && step.do === 'pause') entry.state = 'paused';
          if (entry?.state === 'paused' && step.do === 'resume') entry.state = 'resumed';
        }
        await Promise.resolve();
        const count = (state: string) => taken.filter((entry) => entry.state === state).length;
        expect(slots.waiting).toBe(count('waiting'));
        // Only runs that were answered may be one too many.
        expect(count('working')).toBeLessThanOrEqual(most);
        if (count('waiting') > 0) expect(count('working') + count('resumed')).toBeGreaterThanOrEqual(most);
      }
    }),
  );
});
