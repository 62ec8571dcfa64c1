import type { CommitFollower, Committed } from '../../engine/follow/commit-followers.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import { committedEventOf, type EventHandler, HandlerQueue } from './event-handlers.ts';

interface EventFollowerOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** Adds a follower of commits. It is called with the first handler: until then nothing follows. */
  readonly followCommits: (follower: CommitFollower) => void;
}

/** Tells the handlers of a server, in their order, of each event that is committed: one follower for all of them. */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  readonly #handlers: HandlerQueue[] = [];

  constructor(options: EventFollowerOptions) {
    this.#options = options;
  }

  add(handler: EventHandler): void {
    const { followCommits, log, clock } = this.#options;
    if (this.#handlers.length === 0) followCommits((commits) => commits.forEach(this.#tell));
    this.#handlers.push(new HandlerQueue(handler, log, clock));
  }

  readonly #tell = ({ task, records }: Committed): void => {
    const { id: taskId, contextId, agent } = task;
    for (const { event } of records) {
      const told = committedEventOf(event, taskId, contextId);
      if (!told) continue;
      const info = { taskId, contextId, agent, seq: event.seq };
      for (const handler of this.#handlers) handler.push(told, info);
    }
  };
}
