import type { Clock, Logger, Store } from '../ports.ts';
import { positionInMemory, StoredPosition } from './positions.ts';
import { type FeedSource, TaskFollower, type TaskFollowerOptions } from './task-follower.ts';

/** A follower of one task. */
export interface Following extends Pick<TaskFollowerOptions, 'taskId' | 'after' | 'deal' | 'retry' | 'slots'> {
  /** Unique for the task. The position is stored under it; without a name it is kept in memory. */
  readonly name?: string | undefined;
}

export interface TaskFollowersOptions {
  readonly store: Store;
  readonly feeds: FeedSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** The name of this node. */
  readonly node: () => string;
}

/** The followers of single tasks on this node. */
export class TaskFollowers {
  readonly #options: TaskFollowersOptions;
  readonly #open = new Set<TaskFollower>();

  constructor(options: TaskFollowersOptions) {
    this.#options = options;
  }

  /** Resolves with a follower that is told of everything that is committed from now on. If it rejects, nothing is followed. */
  async follow({ name, ...following }: Following): Promise<TaskFollower> {
    const { node, ...services } = this.#options;
    const { taskId, after: start } = following;
    const keeper =
      name === undefined
        ? positionInMemory(start)
        : new StoredPosition({ ...services, node: node(), taskId, follower: name, start });
    const follower = new TaskFollower({ ...services, ...following, keeper });
    this.#open.add(follower);
    void follower.ended.then(() => this.#open.delete(follower));
    try {
      await follower.start();
    } catch (error) {
      await follower.close();
      throw error;
    }
    return follower;
  }

  /** Closes all of them; other nodes may go on from their positions. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((follower) => follower.close()));
  }
}
