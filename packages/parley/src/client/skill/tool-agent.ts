import type { TaskCaller } from './canceling.ts';
import type { ToolFiles } from './tool-result.ts';

/** The agent behind a tool, for runtimes that call agents in a way of their own. */
export interface ToolAgent<Target = TaskCaller> {
  readonly agent: Target;
  readonly skill?: string | undefined;
  readonly timeout?: number | undefined;
  readonly files: ToolFiles;
}

/** The member of a tool that names its agent. Registered, so that two copies of this package agree on it. */
export const TOOL_AGENT: unique symbol = Symbol.for('parley.tool.agent') as never;
