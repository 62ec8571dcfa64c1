import type { ToolSet } from 'ai';
import type { LlmTools } from '../options.ts';
import { isAgent, localAgentTool } from './agent-tool.ts';

/**
 * Waits for tools that are on their way: those of a remote agent know their description when its card is there. Agents of the
 * same server become tools.
 */
export async function resolveTools(tools: LlmTools): Promise<ToolSet> {
  const resolved: ToolSet = {};
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool !== 'object' || tool === null) throw new TypeError(`The tool "${name}" is not a tool`);
    resolved[name] = isAgent(tool) ? (localAgentTool(tool) as ToolSet[string]) : await tool;
  }
  return resolved;
}

/** The tools as the AI SDK is handed them: it describes them to the model and checks arguments, and runs none. */
export function describedTools(tools: ToolSet): ToolSet {
  const described: ToolSet = {};
  for (const [name, tool] of Object.entries(tools)) {
    const { execute: _, onInputStart: __, onInputDelta: ___, onInputAvailable: ____, ...rest } = tool;
    described[name] = { ...rest, needsApproval: undefined } as ToolSet[string];
  }
  return described;
}

/** A tool by its name; undefined for one that the model made up, whatever objects inherit. */
export function toolNamed(tools: ToolSet, name: string): ToolSet[string] | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}
