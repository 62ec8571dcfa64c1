import type { ArtifactEvent, TaskEvent } from '../../../engine/log/events.ts';
import { type StatusMessageRule, TaskFold } from '../../../engine/log/task-fold.ts';
import type { LogFacet, StoredTask } from '../../../engine/ports.ts';
import { isNextAfter, READ_LIMIT } from '../../../engine/read/records.ts';
import { EVERYTHING } from '../../../engine/read/stored-tasks.ts';
import type { Artifact, Task, TaskStatus } from '../../../model/task.ts';

export interface PastTasksOptions {
  readonly store: LogFacet;
  readonly statusMessage: StatusMessageRule | undefined;
}

const ARTIFACTS = { history: false, artifacts: true };

/**
 * Tasks as they were at some place of their log, whatever has happened since: a request that is repeated says the same
 * again. Where a store has dropped the beginning of the log, the task is shown as it is now.
 */
export class PastTasks {
  readonly #options: PastTasksOptions;

  constructor(options: PastTasksOptions) {
    this.#options = options;
  }

  /** Undefined where the task is gone. */
  async taskAt(taskId: string, seq: number): Promise<Task | undefined> {
    const { store, statusMessage } = this.#options;
    const [stored] = await store.load([taskId], EVERYTHING);
    if (!stored) return undefined;
    const past = stored.head.seq > seq ? await this.#foldTo(stored, seq) : undefined;
    return (past ?? TaskFold.restore(stored, statusMessage)).snapshot();
  }

  /** The status at some place. */
  async statusAt(taskId: string, seq: number): Promise<TaskStatus | undefined> {
    return (await this.taskAt(taskId, seq))?.status;
  }

  /** An artifact as it was when this event ended it. */
  async artifactAt(taskId: string, event: ArtifactEvent): Promise<Artifact | undefined> {
    if (!event.append) return event.artifact;
    const { artifactId } = event.artifact;
    const [stored] = await this.#options.store.load([taskId], ARTIFACTS);
    const body = stored?.bodies.find(({ artifact }) => artifact.artifactId === artifactId);
    if (body && (await this.#isUnchanged(taskId, event, body.seq))) return body.artifact;
    const task = await this.taskAt(taskId, event.seq);
    return task?.artifacts.find((artifact) => artifact.artifactId === artifactId);
  }

  /** Nothing was added to the artifact between the event and this place, and nothing after it: a body is its last end. */
  async #isUnchanged(taskId: string, { seq, artifact }: ArtifactEvent, to: number): Promise<boolean> {
    let position = seq;
    while (position < to) {
      const events = await this.#options.store.read(taskId, position, READ_LIMIT);
      const last = events.at(-1);
      if (!last) return true;
      if (events.some((event) => event.seq <= to && isOf(event, artifact.artifactId))) return false;
      position = last.seq;
    }
    return true;
  }

  async #foldTo({ head }: StoredTask, seq: number): Promise<TaskFold | undefined> {
    const { store, statusMessage } = this.#options;
    const fold = new TaskFold(head.id, head.contextId, statusMessage);
    while (fold.seq < seq) {
      const events = await store.read(head.id, fold.seq, READ_LIMIT);
      if (
        !isNextAfter(
          events.map((event) => ({ event })),
          fold.seq,
        )
      )
        return undefined;
      for (const event of events) if (event.seq <= seq) fold.apply(event);
    }
    return fold;
  }
}

function isOf(event: TaskEvent, artifactId: string): boolean {
  return event.kind === 'artifact' && event.artifact.artifactId === artifactId;
}
