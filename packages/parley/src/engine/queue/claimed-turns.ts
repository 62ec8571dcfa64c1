import { CommitRefused } from '../log/refusals.ts';
import type { ClaimedTurn } from '../ports.ts';
import type { Tasks } from '../task/tasks.ts';
import type { RunSlot } from '../turn/run-slots.ts';
import { beginWaiting, expireWaiting, giveBack } from './begin-turn.ts';

/**
 * Begins a turn that this node has claimed, or gives it back where there is no slot for it. Resolves with true once that the turn
 * begins is committed; with false where it does not begin here: it was given back, or the task has ended or moved on.
 */
export async function beginClaimed(tasks: Tasks, { head }: ClaimedTurn, slot: RunSlot | undefined): Promise<boolean> {
  const actor = await tasks.reviveLeased(head);
  if (!actor) return false;
  try {
    const isBegun = slot !== undefined && beginWaiting(actor.turns, slot);
    if (!slot) giveBack(actor.turns);
    await actor.flushed();
    tasks.dismiss(actor);
    return isBegun;
  } catch (error) {
    // Another node has the lease by now, and with it the turn.
    if (error instanceof CommitRefused) return false;
    throw error;
  }
}

/** Ends a task whose turn has waited until its deadline. */
export async function expireTurn(tasks: Tasks, taskId: string): Promise<void> {
  const actor = await tasks.revive(taskId);
  try {
    expireWaiting(actor.turns);
    await actor.flushed();
  } catch (error) {
    // It was claimed or canceled in this moment.
    if (!(error instanceof CommitRefused)) throw error;
  } finally {
    tasks.dismiss(actor);
  }
}
