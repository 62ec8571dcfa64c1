import type { Tool, ToolSet } from 'ai';
import { Rejection } from '../../agent/outcomes.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import type { ToolCall, ToolOutcome } from '../loop/records.ts';
import { boundedOutcome, errorOutcome, outcomeOf } from './tool-outcome.ts';

/** Runs a tool that has a function of its own. What it throws is told to the model; `reject()` ends the task. */
export async function executeTool(run: LlmRun, tool: ToolSet[string], call: ToolCall): Promise<ToolOutcome> {
  const startedAt = Date.now();
  const outcome = await executed(run, tool as Tool, call);
  reportToolCall(run, call, startedAt, outcome);
  return outcome;
}

async function executed(run: LlmRun, tool: Tool, call: ToolCall): Promise<ToolOutcome> {
  const { toolCallId, input } = call;
  const { handle } = run.inside;
  const { limits } = run.settings;
  if (!tool.execute) return errorOutcome(`The tool "${call.toolName}" cannot be run here`);
  try {
    const messages = [...(await run.conversation), ...run.messages];
    const options = { toolCallId, messages, abortSignal: run.task.signal, context: undefined };
    const output = await lastOf(tool.execute(input, options as never));
    const outcome = tool.toModelOutput ? await tool.toModelOutput({ toolCallId, input, output }) : outcomeOf(output);
    return boundedOutcome(outcome, limits);
  } catch (error) {
    if (handle.isAborted || Rejection.isInstance(error)) throw error;
    handle.warn('A tool failed', { toolName: call.toolName, toolCallId, error });
    return boundedOutcome(errorOutcome(textOfThrown(error)), limits);
  }
}

/** A tool may give several outputs, one after the other; the last one counts. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const output of result as AsyncIterable<unknown>) last = output;
  return last;
}

/** Tells interceptors of a tool call that is done. */
export function reportToolCall(
  { inside, task }: LlmRun,
  call: ToolCall,
  startedAt: number,
  outcome: ToolOutcome,
): void {
  const { listener, agent } = inside;
  if (!listener) return;
  const { toolCallId, toolName } = call;
  const isError = outcome.type === 'error-text' || outcome.type === 'error-json';
  const facts = { agent, taskId: task.id, contextId: task.contextId, toolCallId, toolName, isError };
  listener({ kind: 'tool-call', ...facts, startedAt, endedAt: Date.now() });
}
