import type { ReceivedEvent } from '../../bindings/caller.ts';
import { isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { sleep, type Timing } from '../call/timing.ts';
import { LEAST_LOOK_MS, LOOK_SHARE } from '../pace.ts';
import { TaskCollector } from './collect.ts';
import type { Reception } from './reception.ts';
import { hasSameArtifacts, isSame } from './snapshot-diff.ts';
import type { Batch, Received } from './stream-source.ts';
import { Tap } from './tap.ts';

interface ComparedOptions {
  readonly taskId: string;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** No connection of this stream came before. */
  readonly isFirst: boolean;
}

/**
 * Compares the task with what was received whenever an event comes. Once a look shows that the events go on exactly
 * where the last look ended, they are passed on themselves.
 */
export async function* readCompared(
  stream: Received,
  reception: Reception,
  { taskId, timing, signal, isFirst }: ComparedOptions,
): AsyncGenerator<Batch, void, void> {
  const { beginsWithTask, getTask } = reception.source;
  const tap = new Tap(stream);
  try {
    let base = (beginsWithTask ? await firstTask(tap) : undefined) ?? (await getTask(taskId));
    if (isFirst && isTerminal(base.status.state)) {
      // 0.3 may open the stream first and then refuse to subscribe to what is over.
      await tap.ready();
      tap.fail?.();
    }
    yield reception.adopt(base);
    let lookMs = 0;
    while (!reception.isOver(true)) {
      await tap.ready();
      await sleep(timing, Math.max(LEAST_LOOK_MS, lookMs * LOOK_SHARE), signal);
      const { size: count, ended: hadEnded } = tap;
      const before = timing.now();
      const task = await getTask(taskId);
      lookMs = timing.now() - before;
      yield reception.adopt(task);
      // The look already has what the stream may still bring.
      if (reception.isOver(true)) return;
      if (hadEnded) {
        tap.fail?.();
        return;
      }
      if (isContinuedBy(base, tap.take(count), task)) {
        yield* readTap(tap, reception);
        return;
      }
      base = task;
    }
  } finally {
    await tap.close();
  }
}

async function* readTap(tap: Tap, reception: Reception): AsyncGenerator<Batch, void, void> {
  for (;;) {
    await tap.ready();
    for (const received of tap.take(tap.size)) {
      yield reception.pass(received.event, received.size);
      if (received.final || reception.isOver(true)) {
        reception.isEnded = true;
        return;
      }
    }
    if (tap.ended && tap.size === 0) {
      tap.fail?.();
      return;
    }
  }
}

/**
 * True if these events, and no others, turned `base` into `task`; false also where they cannot tell. A look may be
 * ahead of the stream: then the events that come next are in the task already.
 */
function isContinuedBy(base: Task, events: readonly ReceivedEvent[], task: Task): boolean {
  if (hasSameArtifacts(base, task)) return false;
  const foreseen = new TaskCollector();
  foreseen.apply({ kind: 'task', task: base });
  for (const { event } of events) foreseen.apply(event);
  return (
    foreseen.task !== undefined && hasSameArtifacts(foreseen.task, task) && isSame(foreseen.task.status, task.status)
  );
}

/** The Task that a subscription begins with, if it does. */
async function firstTask(tap: Tap): Promise<Task | undefined> {
  await tap.ready();
  const [first] = tap.take(1);
  return first?.event.kind === 'task' ? first.event.task : undefined;
}
