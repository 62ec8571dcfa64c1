import type { MessageContent } from '../../agent/outcomes.ts';

export type { ForkedContext } from '../../engine/copy/fork-context.ts';

/** Changes for another run of a task. */
export interface RerunTaskOptions {
  /** Replaces the message that began the task. */
  readonly message?: MessageContent | undefined;
  /**
   * The step to begin with, by its name in `task.step`; `fetch 2` for the second one of that name. Only for resumable
   * agents.
   */
  readonly fromStep?: string | undefined;
}

export interface ForkContextOptions {
  /** The id of the last task to copy to the new context. Default: all of them. */
  readonly upTo?: string | undefined;
}
