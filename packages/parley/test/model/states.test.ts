import { describe, expect, it } from 'vitest';
import {
  canTransition,
  isInterrupted,
  isTerminal,
  type KnownState,
  TASK_STATES,
  type TaskState,
  TERMINAL_STATES,
} from '../../src/model/states.ts';

/** The closure that the reference tables (v1-operations §12), written out. */
const ALLOWED: Readonly<Record<KnownState, readonly TaskState[]>> = {
  submitted: ['working', 'input-required', 'auth-required', 'completed', 'failed', 'canceled', 'rejected'],
  working: ['working', 'input-required', 'auth-required', 'completed', 'failed', 'canceled', 'rejected'],
  'input-required': ['working', 'auth-required', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
  'auth-required': ['working', 'input-required', 'auth-required', 'completed', 'failed', 'canceled', 'rejected'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

describe('the state machine', () => {
  for (const from of TASK_STATES) {
    for (const to of TASK_STATES) {
      const allowed = ALLOWED[from].includes(to);
      it(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, () => {
        expect(canTransition(from, to)).toBe(allowed);
      });
    }
  }

  it('never comes to a state that is unknown, which neither ends nor waits', () => {
    for (const from of TASK_STATES) expect(canTransition(from, 'unknown')).toBe(false);
    expect([isTerminal('unknown'), isInterrupted('unknown')]).toEqual([false, false]);
  });

  it('has four terminal and two interrupted states', () => {
    expect(TASK_STATES.filter(isTerminal)).toEqual(TERMINAL_STATES);
    expect(TASK_STATES.filter(isTerminal)).toEqual(['completed', 'failed', 'canceled', 'rejected']);
    expect(TASK_STATES.filter(isInterrupted)).toEqual(['input-required', 'auth-required']);
  });
});
