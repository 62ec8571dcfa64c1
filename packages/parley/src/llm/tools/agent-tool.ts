import type { Agent } from '../../agent/agent.ts';
import type { CallTarget } from '../../agent/calls.ts';
import { A2AClient } from '../../client/client.ts';
import { type ModelOutput, modelOutputOf } from '../../client/skill/model-output.ts';
import { TOOL_AGENT, type ToolAgent } from '../../client/skill/tool-agent.ts';
import { INPUT_SCHEMA, type ToolInput, type ToolInputSchema } from '../../client/skill/tool-input.ts';
import { type ToolOutput, toolOutputOf } from '../../client/skill/tool-result.ts';
import { textOf } from '../../model/parts.ts';
import { isTask, type Task } from '../../model/task.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import type { ToolCall, ToolOutcome } from '../loop/records.ts';
import { boundedOutcome, errorOutcome } from './tool-outcome.ts';

/** An agent of the same server as a tool of an `llmAgent`. */
export interface LocalAgentTool {
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  readonly execute: (input: ToolInput) => Promise<ToolOutput>;
  readonly toModelOutput: (use: { readonly output: ToolOutput }) => ModelOutput;
}

export function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && 'run' in value && 'version' in value && 'skills' in value;
}

/** Makes a tool of an agent of the same server; `llmAgent` does it by itself with agents among its `tools`. */
export function localAgentTool(agent: Agent): LocalAgentTool {
  const target: ToolAgent<Agent> = { agent, files: 'describe' };
  return Object.assign(
    {
      description: agent.description,
      inputSchema: INPUT_SCHEMA,
      execute: () => Promise.reject(new TypeError(`The agent "${agent.name}" is a tool of agents of its own server`)),
      toModelOutput: ({ output }: { readonly output: ToolOutput }) => modelOutputOf(output),
    },
    { [TOOL_AGENT]: target },
  );
}

/** The agent behind a tool; undefined for any other tool, and for a client of another copy of this package. */
export function agentOf(tool: object): ToolAgent<CallTarget> | undefined {
  const target = (tool as { readonly [TOOL_AGENT]?: ToolAgent<unknown> })[TOOL_AGENT];
  if (!target) return undefined;
  return target.agent instanceof A2AClient || isAgent(target.agent) ? (target as ToolAgent<CallTarget>) : undefined;
}

/**
 * Calls the agent behind a tool as `task.call` does: its task refers to this one, ends with it, is found again after a restart,
 * and may use what is left of the model turns.
 */
export async function callAgent(
  run: LlmRun,
  { agent, skill, timeout, files }: ToolAgent<CallTarget>,
  { input }: ToolCall,
  maxTurns: number,
): Promise<ToolOutcome> {
  const { limits } = run.settings;
  const { task: wanted } = input as unknown as ToolInput;
  try {
    const result = await run.task.call(agent, wanted, { skill, timeout, maxTurns, forward: true });
    if (!isTask(result)) return boundedOutcome(modelOutputOf(toolOutputOf(result, files)), limits);
    run.spend(modelCallsOf(result));
    if (result.status.state !== 'completed') return boundedOutcome(errorOutcome(endOf(result)), limits);
    return boundedOutcome(modelOutputOf(toolOutputOf(result, files)), limits);
  } catch (error) {
    if (run.inside.handle.isAborted) throw error;
    return boundedOutcome(errorOutcome(error instanceof Error ? error.message : String(error)), limits);
  }
}

/** The model turns of a child, where it tells them. */
function modelCallsOf({ metadata }: Task): number {
  const usage = metadata?.usage as { readonly modelCalls?: unknown } | undefined;
  const calls = usage?.modelCalls;
  return typeof calls === 'number' && Number.isInteger(calls) && calls > 0 ? calls : 0;
}

function endOf({ status }: Task): string {
  const said = status.message ? `: ${textOf(status.message)}` : '';
  return `The agent's task is ${status.state}${said}`;
}
