import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Replay } from '../../src/engine/replay/replay.ts';
import { type Standing, type StandingFacts, standingOf } from '../../src/engine/task/messages/standing.ts';
import { isInterrupted } from '../../src/model/states.ts';

interface Run {
  readonly isAsking: boolean;
}

const NOW = 1_000;

function replay(answerBy?: number): Replay {
  return {
    messageSeq: 2,
    message: { messageId: 'first', role: 'user', parts: [] },
    request: { metadata: {}, extensions: [], acceptedOutputModes: [] },
    results: new Map(),
    answers: new Map(),
    unanswered: new Set(),
    openQuestions: [{ step: 'ask 1', answerBy }],
    closedIds: new Set(),
    order: [],
    takes: new Map(),
    consumed: 0,
    waited: 0,
    beginSeq: 3,
    upTo: 3,
    unread: [],
    secrets: [],
    resets: [],
    texts: new Map(),
    earlier: new Set(),
    begun: [],
    said: [],
    attempts: 0,
    runs: 1,
  };
}

const WORKING: StandingFacts<Run> = {
  turn: undefined,
  state: 'working',
  isQuestion: false,
  unfinished: undefined,
  now: NOW,
};
const ASKING: StandingFacts<Run> = { ...WORKING, state: 'input-required', isQuestion: true };

const CASES: readonly (readonly [Standing['kind'], string, StandingFacts<Run>])[] = [
  ['asking', 'the run waits in memory', { ...ASKING, turn: { isAsking: true } }],
  ['running', 'the run works', { ...WORKING, turn: { isAsking: false } }],
  ['running', 'the first turn waits for a slot', { ...WORKING, state: 'submitted', turn: { isAsking: false } }],
  ['running', 'the run shows that it waits and goes on', { ...ASKING, isQuestion: false, turn: { isAsking: false } }],
  ['asking-too-late', 'the time is over', { ...ASKING, unfinished: replay(NOW) }],
  ['asking-left', 'there is time left', { ...ASKING, unfinished: replay(NOW + 1) }],
  ['asking-left', 'the question has no time', { ...ASKING, unfinished: replay() }],
  ['asking-lost', 'nothing was recorded', ASKING],
  ['interrupted', 'the turn has ended', { ...ASKING, isQuestion: false }],
  ['interrupted', 'a turn before it was recorded', { ...ASKING, isQuestion: false, unfinished: replay() }],
  ['interrupted', 'the caller must sign in', { ...ASKING, isQuestion: false, state: 'auth-required' }],
  ['working-left', 'a process has left it', { ...WORKING, unfinished: replay() }],
  ['working-left', 'it had not begun', { ...WORKING, state: 'submitted', unfinished: replay() }],
  ['waiting', 'its first turn waits for any node', { ...WORKING, state: 'submitted', isWaiting: true }],
  ['waiting', 'a turn that asked is to be taken up by any node', { ...ASKING, unfinished: replay(), isWaiting: true }],
  ['working-lost', 'the store failed', WORKING],
];

describe('how a task stands', () => {
  it.each(CASES)('%s: %s', (kind, _, facts) => {
    expect(standingOf(facts).kind).toBe(kind);
  });

  it('has a case for every standing', () => {
    const kinds: Readonly<Record<Standing['kind'], true>> = {
      asking: true,
      running: true,
      waiting: true,
      'asking-too-late': true,
      'asking-left': true,
      'asking-lost': true,
      interrupted: true,
      'working-left': true,
      'working-lost': true,
    };
    expect(new Set(CASES.map(([kind]) => kind))).toEqual(new Set(Object.keys(kinds)));
  });

  it('follows from the run before the log, and hands on what the handler needs', () => {
    const facts = fc.record({
      turn: fc.option(fc.record({ isAsking: fc.boolean() }), { nil: undefined }),
      state: fc.constantFrom(
        'submitted' as const,
        'working' as const,
        'input-required' as const,
        'auth-required' as const,
      ),
      isQuestion: fc.boolean(),
      unfinished: fc.option(
        fc.option(fc.integer({ min: 0, max: 2 * NOW }), { nil: undefined }).map((answerBy) => replay(answerBy)),
        { nil: undefined },
      ),
      now: fc.constant(NOW),
    });
    fc.assert(
      fc.property(facts, (known) => {
        const standing = standingOf<Run>(known);
        const isOfRun = standing.kind === 'asking' || standing.kind === 'running';
        expect(isOfRun).toBe(known.turn !== undefined);
        if ('turn' in standing) expect(standing.turn).toBe(known.turn);
        if ('replay' in standing) expect(standing.replay).toBe(known.unfinished);
        if (known.turn) return;
        expect(standing.kind.startsWith('asking')).toBe(known.isQuestion);
        expect(standing.kind === 'interrupted').toBe(!known.isQuestion && isInterrupted(known.state));
        expect(standing.kind.endsWith('-lost') && known.unfinished !== undefined).toBe(false);
      }),
    );
  });
});
