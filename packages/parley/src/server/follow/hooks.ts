import type { CommitFollowers } from '../../engine/follow/commit-followers.ts';
import type { Clock, Logger, TaskCommit } from '../../engine/ports.ts';
import { type AgentTransform, chained, type Transform } from '../operations/transforms.ts';
import { committedEventOf, type EventHandler, HandlerQueue } from './event-handlers.ts';

/** The functions by which a server is extended. */
export interface ServerHooks {
  /**
   * Called with every committed event, after the commit, on the node that made it: the task when it is created, each
   * message of the caller, each status and each chunk. Nothing waits for it. It gets one event at a time: while the
   * promise that it returned is pending, the next ones are held, up to 10 000; further ones are left out, and that is
   * logged.
   */
  readonly onEvent?: EventHandler | undefined;
  /**
   * Changes what clients are sent, never what is stored: events of streams, and tasks and messages in the responses of
   * all other operations (`kind: 'task'`, `kind: 'message'`). Undefined leaves out an update that ends nothing. It must
   * return the same for the same event every time, and keep its kind, its ids and its state. An error that it throws
   * fails the request.
   */
  readonly transform?: Transform | undefined;
}

export interface HooksOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly followers: CommitFollowers;
}

/** The handlers and transformers of a server. Where there are none, nothing is done for any event. */
export class Hooks {
  readonly #options: HooksOptions;
  readonly #handlers: HandlerQueue[] = [];
  #transform: Transform | undefined;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  add({ onEvent, transform }: ServerHooks): void {
    if (onEvent) this.#addHandler(onEvent);
    if (transform) this.#transform = chained(this.#transform, transform);
  }

  #addHandler(handler: EventHandler): void {
    const { followers, log, clock } = this.#options;
    if (this.#handlers.length === 0) followers.add((commits) => commits.forEach(this.#tell));
    this.#handlers.push(new HandlerQueue(handler, log, clock));
  }

  /** Tells the handlers of the events of a commit. */
  readonly #tell = ({ head, events }: TaskCommit): void => {
    const { id: taskId, contextId, agent } = head;
    for (const event of events) {
      const told = committedEventOf(event, taskId, contextId);
      if (!told) continue;
      const info = { taskId, contextId, agent, seq: event.seq };
      for (const handler of this.#handlers) handler.push(told, info);
    }
  };

  /** Returns the change of all that readers of an agent are sent; undefined where nothing is to be changed at all. */
  transformOf(agent: string): AgentTransform | undefined {
    const transform = this.#transform;
    return transform && ((event, info) => transform(event, { ...info, agent }));
  }
}
