import type { CommitEntry, CommitResult, Logger, TaskCommit } from '../ports.ts';

/** Told of the commits of this node, after the readers of their tasks. It must return at once: a commit may wait for it. */
export type CommitFollower = (commits: readonly TaskCommit[]) => void;

/** Everything that follows the commits of this node. Where nothing does, a commit costs nothing more. */
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
  tell(entries: readonly CommitEntry[], results: readonly CommitResult[]): void {
    if (this.#followers.size === 0) return;
    const commits = acceptedTasks(entries, results);
    if (commits.length === 0) return;
    for (const follower of this.#followers) {
      try {
        follower(commits);
      } catch (error) {
        this.#log.error('A follower of commits failed', { error });
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
