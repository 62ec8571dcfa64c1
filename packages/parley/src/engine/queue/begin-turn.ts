import type { QueuedTurn } from '../ports.ts';
import type { SecretContent } from '../replay/sealed-secret.ts';
import { resumeTurn } from '../task/takeover.ts';
import type { TaskTurns } from '../task/task-turns.ts';
import type { RunSlot } from '../turn/run-slots.ts';
import { writeQueue } from './leave-turn.ts';
import { readQueuedTurn } from './queued-turn.ts';

/** The task was loaded with a turn that waits for any node. */
export function restoreWaiting(turns: TaskTurns, queued: QueuedTurn, secret?: SecretContent): void {
  const { log, inbox } = turns;
  const messages = new Map(log.fold.talk().map(({ seq, message }) => [seq, message]));
  if (secret) turns.secrets.add(secret.message);
  const { turn, unread } = readQueuedTurn(queued, log.identity.owner, messages, secret);
  turns.waiting = turn;
  inbox.putFirst(unread);
}

/**
 * Begins the turn that waited for any node, in this slot; the run waits until that is committed. Returns false where none
 * waits, or where it cannot go on: then the task has failed.
 */
export function beginWaiting(turns: TaskTurns, slot: RunSlot): boolean {
  const { waiting, writer } = turns;
  if (!waiting || turns.current) return false;
  const { first, statusBefore } = waiting;
  turns.stopWaiting();
  turns.slot = slot;
  if (first) {
    writer.mark();
    turns.beginWith(first, statusBefore, writer.flushed());
  } else if (!resumeTurn(turns)) {
    turns.fail('server-restarted');
  }
  turns.slot = undefined;
  writer.mark();
  return turns.isRunning;
}

/** Writes the turn that waits once more, so that there is a commit that gives the lease back. */
export function giveBack(turns: TaskTurns): void {
  if (turns.current) return;
  writeQueue(turns);
  turns.writer.mark();
}

/** Ends the task if its turn has waited for any node until its deadline. */
export function expireWaiting(turns: TaskTurns): void {
  const { waiting, services } = turns;
  if (waiting?.deadline !== undefined && waiting.deadline <= services.clock.now()) turns.fail('run-timeout');
}
