import type { TaskStatus } from '../../model/task.ts';
import type { QueuedMessage } from '../task/messages/inbox.ts';
import type { TaskTurns } from '../task/task-turns.ts';
import type { TurnRequest } from '../turn/runner.ts';
import { queuedTurnOf, waitingTurn } from './queued-turn.ts';

/**
 * Leaves a turn to any node, with the next commit, where this one has no slot for it; returns false where it begins here. `first`: the
 * message that it begins with, and the status that the task showed by then; undefined for a turn that the journal has. The caller
 * marks the writer.
 */
export function leaveToAny(
  turns: TaskTurns,
  request: TurnRequest,
  first?: QueuedMessage,
  statusBefore?: TaskStatus,
): boolean {
  const { queue, clock } = turns.services;
  // A turn with a slot begins in it. The log does not have the content of a secret: what is not encrypted stays here.
  const isUnsaid = first?.isSecret === true && first.sealed === undefined;
  if (!queue || turns.slot || isUnsaid || !queue.mustWait(request.nested)) return false;
  // A turn that was begun before comes before those that were not.
  const arrival = first ? clock.now() : turns.log.identity.createdAt;
  turns.waiting = waitingTurn(request, arrival, first, statusBefore);
  writeQueue(turns);
  queue.add(turns.writer.flushed(), request.deadline);
  return true;
}

/** Writes the turn that waits, and the messages that came since, with the next commit. */
export function writeQueue({ waiting, log, inbox }: TaskTurns): void {
  if (waiting) log.queue(queuedTurnOf(waiting, inbox.waiting));
}
