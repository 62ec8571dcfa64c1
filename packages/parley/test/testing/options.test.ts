import { defineAgent } from 'parley-a2a';
import { faulty, TestClock, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const agent = defineAgent({ name: 'a', description: 'An agent', version: '1.0.0', run: () => 'done' });
const A_TIME = 'start must be a time: a Date, or milliseconds since the epoch';

// Each of these once hung, or was taken without a word.
describe('options of the test kit', () => {
  it.for<[unknown, string]>([
    [{ start: 'x' }, `${A_TIME}, not "x"`],
    [{ start: Number.NaN }, `${A_TIME}, not NaN`],
    [{ start: new Date('x') }, `${A_TIME}, not a Date`],
    [{ start: 1e20 }, `${A_TIME}, not 100000000000000000000`],
    [{ frosen: true }, 'there is no option frosen; did you mean frozen?'],
    [{ frozen: 'yes' }, 'frozen must be true or false, not "yes"'],
  ])('are refused by the clock and the agent: %o', ([options, problem]) => {
    expect(() => new TestClock(options as object)).toThrow(new TypeError(`TestClock: ${problem}`));
    expect(() => testAgent(agent, options as object)).toThrow(new TypeError(`testAgent: ${problem}`));
  });

  it.for<[unknown, string]>([
    [{ agent }, 'testAgent: there is no option agent; did you mean agents?'],
    [{ agents: agent }, 'testAgent: agents must be a list of agents, not an object'],
    [{ store: 'tasks.db' }, 'testAgent: store must be a store, such as memory(), not a string'],
    [{ server: { auht: [] } }, 'There is no option auht; did you mean auth?'],
    [null, 'testAgent: the options must be an object with start, frozen, agents, store, server, client, not null'],
  ])('are refused by the agent: %o', ([options, problem]) => {
    expect(() => testAgent(agent, options as object)).toThrow(new TypeError(problem));
  });

  it.for<[unknown, string]>([
    [{ dropsAt: 3 }, 'faulty: there is no option dropsAt; did you mean dropAt?'],
    [{ unavailable: true }, 'faulty: unavailable must be a whole number that is not negative, not true'],
    [
      undefined,
      'faulty: the options must be an object with dropAt, cutAt, closeAt, duplicate, after, delay, unavailable, ',
    ],
  ])('are refused by faulty: %o', ([faults, problem]) => {
    expect(() => faulty(fetch, faults as object)).toThrow(problem);
  });

  it('may be there without a value', async () => {
    const tested = testAgent(agent, { start: new Date(0), frozen: undefined, store: undefined });
    onTestFinished(() => tested.close());
    expect(await tested.client.run('x')).toBe('done');
  });
});
