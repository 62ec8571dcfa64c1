import type { LogRecord } from '../log/events.ts';
import type { CommitEntry, CommitResult, Logger, Notice, PushConfigRecord, TaskCommit, TaskHead } from '../ports.ts';

/** The events of one task in a commit of this node, which are on disk. */
export interface Committed {
  readonly task: Pick<TaskHead, 'id' | 'contextId' | 'agent'>;
  /** The last seq of the task's log. */
  readonly seq: number;
  /** The events of the commit, at least one. Valid while followers are told. */
  readonly records: readonly LogRecord[];
  /** Webhooks of the task that came with them. */
  readonly pushConfigs?: readonly PushConfigRecord[] | undefined;
}

/** Told of the commits of this node, a batch at a time. It must return at once: the next commit waits for it. */
export type CommitFollower = (commits: readonly Committed[]) => void;

/**
 * Everything that follows the commits of this node, told after each commit and in the order in which it was added: the
 * feeds of readers, the bus, then what the server adds, such as webhooks and event handlers.
 */
export class CommitFollowers {
  readonly #log: Logger;
  readonly #followers = new Set<CommitFollower>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns a function that ends it. */
  add(follower: CommitFollower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Tells of what is durable now. */
  tell(commits: readonly Committed[]): void {
    if (commits.length === 0) return;
    const failed = (error: unknown) => this.#log.error('A follower of commits failed', { error });
    for (const follower of this.#followers) {
      try {
        // An async function fits the type as well, such as `publish` of a bus; nothing waits for it.
        const told: unknown = follower(commits);
        if (told instanceof Promise) told.catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}

/** The commits of tasks that the store has accepted. */
export function acceptedTasks(entries: readonly CommitEntry[], results: readonly CommitResult[]): TaskCommit[] {
  const accepted: TaskCommit[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'task' && results[index] === 'ok') accepted.push(entry);
  }
  return accepted;
}

/** The notices by which other nodes hear of commits. */
export function noticesOf(commits: readonly Committed[]): readonly Notice[] {
  return commits.map(({ task, seq }) => ({ taskId: task.id, seq }));
}
