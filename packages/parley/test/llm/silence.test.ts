import { expect, it } from 'vitest';
import { Silence } from '../../src/llm/loop/silence.ts';

/** A clock of its own: `pass` makes the time pass, look after look. */
function watched(firstTokenTimeout: number, tokenTimeout: number) {
  const timers = new Set<{ at: number; callback: () => void }>();
  let now = 0;
  const after = (milliseconds: number, callback: () => void) => {
    const timer = { at: now + milliseconds, callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const silence = new Silence({ after }, { firstTokenTimeout, tokenTimeout });
  const reading = Promise.withResolvers<string>();
  let outcome: unknown;
  const limited = silence.limit(reading.promise).then(
    (value) => {
      outcome = value;
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  const pass = async (milliseconds: number) => {
    const end = now + milliseconds;
    for (;;) {
      const [due] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!due) break;
      timers.delete(due);
      now = due.at;
      due.callback();
    }
    now = end;
    await Promise.race([limited, Promise.resolve()]);
    await Promise.resolve();
    return outcome;
  };
  return { silence, reading, limited, pass, timers, outcomeOf: () => outcome };
}

it('a response may take its time to begin, and has another one for each silence after that', async () => {
  const { silence, pass } = watched(400, 100);
  expect(await pass(390)).toBeUndefined();
  silence.heard();
  expect(await pass(90)).toBeUndefined();
  silence.heard();
  expect(await pass(90)).toBeUndefined();
  expect(await pass(200)).toBe("The model's provider has sent nothing for 100 milliseconds");
  expect(silence.isOver).toBe(true);
});

it('the time in which nobody reads the response is not the silence of its provider', async () => {
  const { silence, pass } = watched(0, 100);
  silence.heard();
  const room = Promise.withResolvers<void>();
  const held = silence.hold(room.promise);
  expect(await pass(1000)).toBeUndefined();
  room.resolve();
  await held;
  expect(await pass(90)).toBeUndefined();
  expect(await pass(200)).toMatch(/has sent nothing/);
});

it('limits of 0 are none, and a response that ended leaves no timer behind', async () => {
  const never = watched(0, 0);
  expect(await never.pass(1e9)).toBeUndefined();
  expect(never.timers.size).toBe(0);
  const ended = watched(400, 100);
  ended.reading.resolve('all of it');
  await ended.limited;
  expect(ended.outcomeOf()).toBe('all of it');
  expect(ended.timers.size).toBe(0);
});
