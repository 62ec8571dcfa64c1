import type { Task } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { CALLING_DIALECTS } from '../../src/dialects/calling/calling-dialects.ts';
import { informalDialect, PROTOCOL_NAMES } from '../../src/dialects/calling/informal-calling.ts';
import { BUILT_IN_DIALECTS } from '../../src/dialects/registry.ts';
import { v0_3Proto } from '../../src/dialects/v0_3/index.ts';

const INPUT = { tenant: '', id: 't' };
const TIME = '2026-01-05T10:15:00.000Z';

const callingOf = (name: (typeof PROTOCOL_NAMES)[number]) =>
  informalDialect(name) ?? CALLING_DIALECTS.find(({ version }) => version === name);

function wireTask(state: unknown): object {
  return { kind: 'task', id: 't', contextId: 'c', status: { state, timestamp: TIME }, artifacts: [], history: [] };
}

describe.each(PROTOCOL_NAMES)('a state that its agent cannot tell, in %s', (name) => {
  const calling = callingOf(name);
  const stateOf = (wire: unknown) => calling?.decodeResult.getTask(wire, INPUT).status.state;

  it('is read as unknown, as is a state that is not known here (S0.3) (S4.3)', () => {
    for (const state of ['unknown', 'paused', 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_PAUSED']) {
      expect(stateOf(wireTask(state)), state).toBe('unknown');
    }
    if (name === '1.0' || name === '0.3')
      expect([0, 99].map((state) => stateOf(wireTask(state)))).toEqual(['unknown', 'unknown']);
  });

  it('is refused where there is none at all', () => {
    for (const state of [undefined, null, true, {}, []]) expect(() => stateOf(wireTask(state))).toThrow('state');
  });

  it('is written so that it is not taken for another one', () => {
    const task: Task = {
      id: 't',
      contextId: 'c',
      status: {
        state: 'unknown',
        timestamp: TIME,
        message: { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: '?' }] },
      },
      artifacts: [],
      history: [],
    };
    // The document of this one has six states, and none for it.
    const shown = name === 'cogitator' ? 'working' : 'unknown';
    expect(stateOf(JSON.parse(JSON.stringify(BUILT_IN_DIALECTS.named(name).encode.getTask(task))))).toBe(shown);
    const proto: unknown = JSON.parse(JSON.stringify(v0_3Proto.encode.getTask(task)));
    if (name === '0.3') expect(stateOf(proto)).toBe('unknown');
  });
});
