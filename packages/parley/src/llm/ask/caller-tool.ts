import type { Tool, ToolSet } from 'ai';
import { isInputError } from '../../model/errors/input-error.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import type { ToolCall, ToolOutcome } from '../loop/records.ts';
import { boundedOutcome, errorOutcome, outcomeOf } from '../tools/tool-outcome.ts';
import { argumentsTooLong } from './shown-arguments.ts';

/** A tool without a function of its own is the caller's, unless the model's provider runs it. */
export function isCallerTool(tool: ToolSet[string]): boolean {
  return tool.execute === undefined && (tool as Tool).type !== 'provider';
}

/**
 * Has the caller run a tool. The model is told of one that fails; a caller that has declared no such tool fails the task, as
 * `task.tool` does.
 */
export async function runByCaller(run: LlmRun, tool: ToolSet[string], call: ToolCall): Promise<ToolOutcome> {
  const { toolCallId, toolName, input } = call;
  const { limits } = run.settings;
  const tooLong = argumentsTooLong(call, limits);
  if (tooLong) return tooLong;
  try {
    const output = await run.task.tool(toolName, input);
    const { toModelOutput } = tool as Tool;
    return boundedOutcome(
      toModelOutput ? await toModelOutput({ toolCallId, input, output }) : outcomeOf(output),
      limits,
    );
  } catch (error) {
    if (!isInputError(error) || error.code !== 'TOOL_FAILED') throw error;
    return boundedOutcome(errorOutcome(error.message), limits);
  }
}
