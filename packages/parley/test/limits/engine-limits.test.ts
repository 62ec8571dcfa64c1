import { expect, it, onTestFinished } from 'vitest';
import { ENDLESS_LIMITS, resolveEngineLimits } from '../../src/engine/limits.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from '../engine/support/puppet.ts';

const HOUR = 3_600_000;

/** An engine on a store that nodes share, with no limit where 0 says so. */
async function endless() {
  const inner = memory({ shared: true });
  let looks = 0;
  const store = withStore(inner, {
    head(taskId) {
      looks += 1;
      return inner.head(taskId);
    },
  });
  const clock = manualClock();
  const puppets = new Puppeteer();
  const limits = Object.fromEntries(ENDLESS_LIMITS.map((name) => [name, 0]));
  const engine = engineOn(store, puppets, { clock, drainTimeout: 0, limits });
  await engine.open();
  onTestFinished(() => engine.close());
  return { clock, puppets, engine, looks: () => looks };
}

it('polls nothing where pollInterval is 0', async () => {
  const { clock, engine, looks } = await endless();
  const task = await engine.send(sendCall(userMessage('go')));
  const stream = await engine.subscribe(SCOPE, 'id' in task ? task.id : '');
  await settle();
  const before = looks();
  for (let second = 0; second < 5; second += 1) await clock.advance(1000);
  expect(looks()).toBe(before);
  stream.close();
});

it('ends neither a run nor the wait for it where its times are 0', async () => {
  const { clock, puppets, engine } = await endless();
  let isOver = false;
  const waiting = engine.send(sendCall(userMessage('go'), { returnImmediately: false })).then((task) => {
    isOver = true;
    return task;
  });
  await settle();
  for (let hour = 0; hour < 3; hour += 1) await clock.advance(HOUR);
  expect(isOver).toBe(false);
  puppets.runs[0]?.end({ state: 'completed' });
  expect(await waiting).toMatchObject({ status: { state: 'completed' } });
});

it('makes limits of 0 Infinity, and leaves all others as they are', () => {
  const { runs, runTimeout, inactivityTimeout, leaseLifetime, heartbeatInterval } = resolveEngineLimits({
    inactivityTimeout: 0,
    leaseLifetime: 3000,
  });
  expect([runs, inactivityTimeout]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  expect([runTimeout, leaseLifetime, heartbeatInterval]).toEqual([HOUR, 3000, 1000]);
});
