import type { MessageContent } from '../../agent/outcomes.ts';

export type { ForkedContext } from '../../engine/copy/fork-context.ts';

/** What is different when a task is run again. */
export interface RerunTaskOptions {
  /** In the place of the message that began the task. */
  readonly message?: MessageContent | undefined;
  /** The step to begin with, as `task.step` named it; `fetch 2` for the second one of that name. Only for resumable agents. */
  readonly fromStep?: string | undefined;
}

export interface ForkContextOptions {
  /** The id of the last task that the new context has. Default: all of them. */
  readonly upTo?: string | undefined;
}
