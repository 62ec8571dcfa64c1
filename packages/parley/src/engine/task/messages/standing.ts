import { isInterrupted, type TaskState } from '../../../model/states.ts';
import { isOverdue, type Replay } from '../../replay/replay.ts';
import type { Turn } from '../../turn/turn.ts';

/** The situation of an open task when a message arrives. */
export type Standing<Run = Turn> =
  /** Its run waits in memory for the answer to a question. */
  | { readonly kind: 'asking'; readonly turn: Run }
  /** Its run works, or waits for a slot to begin. */
  | { readonly kind: 'running'; readonly turn: Run }
  /** Its next turn waits for any node. */
  | { readonly kind: 'waiting' }
  /** An earlier process left it at questions that can be taken up, and the time for an answer is over. */
  | { readonly kind: 'asking-too-late'; readonly replay: Replay }
  /** An earlier process left it at a question that can be taken up. */
  | { readonly kind: 'asking-left'; readonly replay: Replay }
  /** The run that asked is gone, and nothing of it was recorded. */
  | { readonly kind: 'asking-lost' }
  /** Its turn has ended; the next message begins another. */
  | { readonly kind: 'interrupted' }
  /** An earlier process left it at work, and it can be taken up. */
  | { readonly kind: 'working-left'; readonly replay: Replay }
  /** Its run is gone because the store failed, and nothing has ended the task yet. */
  | { readonly kind: 'working-lost' };

export interface StandingFacts<Run = Turn> {
  readonly turn: Run | undefined;
  readonly state: TaskState;
  /** The task's status is a question of a run that goes on with the answer. */
  readonly isQuestion: boolean;
  /** Its next turn waits for any node. */
  readonly isWaiting?: boolean | undefined;
  readonly unfinished: Replay | undefined;
  readonly now: number;
}

/** Classifies a task that has not ended. */
export function standingOf<Run extends { readonly isAsking: boolean }>(facts: StandingFacts<Run>): Standing<Run> {
  const { turn, state, isQuestion, isWaiting, unfinished: replay, now } = facts;
  if (turn) return { kind: turn.isAsking ? 'asking' : 'running', turn };
  if (isWaiting) return { kind: 'waiting' };
  if (isQuestion) {
    if (!replay) return { kind: 'asking-lost' };
    return { kind: isTooLate(replay, now) ? 'asking-too-late' : 'asking-left', replay };
  }
  if (isInterrupted(state)) return { kind: 'interrupted' };
  return replay ? { kind: 'working-left', replay } : { kind: 'working-lost' };
}

function isTooLate({ openQuestions }: Replay, now: number): boolean {
  return openQuestions.length > 0 && openQuestions.every((question) => isOverdue(question, now));
}
