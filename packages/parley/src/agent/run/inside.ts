import type { RunHandle } from '../../engine/turn/runner.ts';
import type { RunListener } from '../run-event.ts';
import type { Output, TaskContext } from '../task-context.ts';

/** Registered, so that an agent and a server of two copies of this package find each other. */
export const INSIDE: unique symbol = Symbol.for('parley.run') as never;

/** The run behind a task context, for the agents that this package makes itself. */
export interface RunInside {
  readonly handle: RunHandle;
  /** The name in the agent's address. */
  readonly agent: string;
  /** The extensions that the artifact of the result names. */
  readonly marks: readonly string[] | undefined;
  /** The listener for events of the run; undefined if there is none. */
  readonly listener: RunListener | undefined;
  /** Writes to the default artifact, without a promise where there is no need to wait. */
  emit(output: Output): Promise<void> | undefined;
}

export function insideOf(task: TaskContext): RunInside {
  const inside = (task as { readonly [INSIDE]?: RunInside })[INSIDE];
  if (!inside) throw new TypeError('This agent must be run by an A2AServer, with the task that the server hands it');
  return inside;
}
