import type { ToolResultPart } from 'ai';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import { TOOL_STEP, type ToolCall, type ToolOutcome } from '../loop/records.ts';
import { executeTool } from './execute-tool.ts';
import { boundedOutcome, errorOutcome } from './tool-outcome.ts';
import { toolNamed } from './tool-set.ts';

/**
 * Carries out the tool calls of one response, all at once. Each is a step of its own, so that none is done twice, and each
 * has a status update before it begins.
 */
export async function runToolCalls(run: LlmRun, calls: readonly ToolCall[]): Promise<readonly ToolResultPart[]> {
  const { toolCalls: most } = run.settings.limits;
  const tasks: Promise<ToolOutcome>[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = index < most ? runToolCall(run, call, index + 1) : Promise.resolve(tooMany(most));
    tasks.push(outcome);
  }
  const outcomes = await allSettled(tasks);
  return calls.map(({ toolCallId, toolName }, index) => {
    const output = outcomes[index] ?? errorOutcome('The tool has no result');
    return { type: 'tool-result', toolCallId, toolName, output };
  });
}

/** What the model is told of one call. Where the call cannot be carried out, the model is told why, and may try again. */
async function runToolCall(run: LlmRun, call: ToolCall, number: number): Promise<ToolOutcome> {
  if (call.problem !== undefined) return boundedOutcome(errorOutcome(call.problem), run.settings.limits);
  await run.task.status(`Calling ${call.toolName}…`, {
    metadata: { toolCall: { toolCallId: call.toolCallId, toolName: call.toolName } },
  });
  const tool = toolNamed(await run.tools, call.toolName);
  if (!tool) return errorOutcome(`There is no tool "${call.toolName}"`);
  // Numbered by its place in the response: calls of one tool side by side never take each other's record.
  const name = `${TOOL_STEP} ${run.records.length}.${number} ${call.toolName}`;
  const action = ({ idempotencyKey }: { readonly idempotencyKey: string }) =>
    executeTool(run, tool, call, idempotencyKey) as Promise<unknown> as Promise<JsonValue>;
  return (await recordedStep(run.inside.handle, name, action)) as unknown as ToolOutcome;
}

function tooMany(most: number): ToolOutcome {
  return errorOutcome(`Not carried out: a response may have ${most} tool calls (limits.toolCalls)`);
}

/** Waits for all, so that no tool still runs when the first failure ends the run. */
async function allSettled(tasks: readonly Promise<ToolOutcome>[]): Promise<readonly ToolOutcome[]> {
  const settled = await Promise.allSettled(tasks);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
