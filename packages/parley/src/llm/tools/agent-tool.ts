import type { Agent } from '../../agent/agent.ts';
import type { CallTarget } from '../../agent/calls.ts';
import { A2AClient } from '../../client/client.ts';
import { type ModelOutput, modelOutputOf } from '../../client/skill/model-output.ts';
import { TOOL_AGENT, type ToolAgent } from '../../client/skill/tool-agent.ts';
import { INPUT_SCHEMA, type ToolInput, type ToolInputSchema } from '../../client/skill/tool-input.ts';
import type { ToolOutput } from '../../client/skill/tool-result.ts';

/** An agent of the same server as a tool of an `llmAgent`. */
interface LocalAgentTool {
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  readonly execute: (input: ToolInput) => Promise<ToolOutput>;
  readonly toModelOutput: (use: { readonly output: ToolOutput }) => ModelOutput;
}

export function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && 'run' in value && 'version' in value && 'skills' in value;
}

/** Makes a tool of an agent of the same server; `llmAgent` does so with agents among its `tools`. */
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
