import { isInterrupted } from '../../model/states.ts';
import { CommitRefused } from '../log/refusals.ts';
import type { Clock, Logger, Store, TaskHead } from '../ports.ts';
import type { Actor } from '../task/actor.ts';
import type { FailureReason } from '../task/failure-reasons.ts';
import type { Tasks } from '../task/tasks.ts';

/** Tasks that are recovered at the same time. */
const BATCH = 100;

/**
 * Resumes or fails the tasks of dead nodes that are submitted or working, or wait for an answer until some time. On an
 * exclusive store those are, at start, the ones that runs of the previous process held. A question without a time limit
 * stays until its answer comes.
 */
export async function recoverAbandoned(
  options: { store: Store; tasks: Tasks; clock: Clock; node: () => string; log: Logger },
  reason: FailureReason = 'server-restarted',
): Promise<number> {
  const { store, clock, node, log } = options;
  const seen = new Set<string>();
  for (;;) {
    const heads = await store.abandoned(node(), clock.now(), BATCH);
    // A task that is live here was taken over before; its commit is on its way.
    const fresh = heads.filter((head) => !seen.has(head.id) && !options.tasks.isLive(head.id));
    if (fresh.length === 0) return seen.size;
    for (const head of fresh) seen.add(head.id);
    const results = await Promise.allSettled(
      fresh.map((head: TaskHead) => resumeOrFail(options.tasks, head.id, reason, isAbandoned)),
    );
    for (const result of results) {
      if (result.status === 'rejected') log.warn('A task could not be recovered', { error: result.reason });
    }
  }
}

/** Attempts to take a lease from a node that goes on committing. */
const ATTEMPTS = 5;

/**
 * Takes the lease and resumes the run if it can be resumed; else fails the task, unless it has ended. A node that was
 * taken for dead may commit once more in between; then the task is loaded again, and from the next commit on the old
 * lease number is refused. If another node was faster, the task stays with that one.
 */
export async function resumeOrFail(
  tasks: Tasks,
  taskId: string,
  reason: FailureReason,
  isLeft: (actor: Actor) => boolean = isIdle,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const actor = await tasks.revive(taskId);
    if (!isLeft(actor)) {
      tasks.dismiss(actor);
      return;
    }
    if (!actor.resume()) actor.fail(reason);
    try {
      await actor.whenCommitted(actor.log.seq);
      await actor.whenRecorded();
      tasks.dismiss(actor);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof CommitRefused)) throw error;
      if (await tasks.isHeldElsewhere(taskId)) return;
    }
  }
}

/** No message has begun a turn here meanwhile. */
function isIdle({ isRunning }: Actor): boolean {
  return !isRunning;
}

/** The task is still as it was found: a node that was taken for dead may have ended the turn since, and it waits for its caller. */
function isAbandoned(actor: Actor): boolean {
  const { log } = actor;
  if (!isIdle(actor) || !log.isHeld) return false;
  return !isInterrupted(log.status.state) || log.answerBy !== undefined;
}
