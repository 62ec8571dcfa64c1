import type { CallToolResult, Server, Tool } from '@modelcontextprotocol/server';
import { withTrace } from '../../../bindings/http/current-trace.ts';
import { traceOfMeta } from '../trace-meta.ts';
import type { BridgedTool } from './agents/roster.ts';
import { TASKS_EXTENSION } from './calls/abilities.ts';
import { resultFor } from './calls/older-clients.ts';
import { type BridgeParts, ToolCall } from './calls/tool-call.ts';
import { QUESTION_ROUNDS, QUESTION_TIMEOUT } from './limits.ts';
import type { McpServerPackage } from './packages.ts';
import { OldTasks } from './tasks/tasks-2025.ts';
import { serveTasks } from './tasks/tasks-2026.ts';

export interface BridgeServerOptions extends BridgeParts {
  readonly sdk: McpServerPackage;
  readonly version: string;
}

/** The generation of the client: since 2026-07-28, or before. */
type Era = 'modern' | 'legacy';

export interface BridgeServer {
  readonly server: Server;
  /** Calls of tools that are being answered. */
  readonly calls: () => number;
}

/** A server of MCP for one connection, or since 2026-07-28 for one request, with the agents as its tools. */
export function bridgeServer(options: BridgeServerOptions, era: Era): BridgeServer {
  let calls = 0;
  const { sdk, roster, version } = options;
  const server = new sdk.Server(
    { name: 'parley', title: 'A2A agents', version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(era === 'modern'
          ? { extensions: { [TASKS_EXTENSION]: {} } }
          : { tasks: { cancel: {}, requests: { tools: { call: {} } } } }),
      },
      instructions: 'Each tool is an A2A agent, or a skill of one.',
      inputRequired: { maxRounds: QUESTION_ROUNDS, roundTimeoutMs: QUESTION_TIMEOUT },
    },
  );
  server.setRequestHandler('tools/list', async () => {
    await roster.look();
    return { tools: [...roster.tools.values()].map((tool) => describe(tool, era)) };
  });
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const answer = async () => {
      const tool = await toolOf(params.name, options);
      if (!tool)
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, unknownTool(params.name, roster.missing));
      calls += 1;
      try {
        if (oldTasks && params.task !== undefined) return await oldTasks.begin(tool, params.arguments, ctx);
        const result = await new ToolCall(options, tool, server, ctx).run(params.arguments);
        if ('resultType' in result) return result as CallToolResult;
        const readable = resultFor(server.getNegotiatedProtocolVersion(), result as CallToolResult);
        return server.projectCallToolResult(readable, tool.outputSchema);
      } finally {
        calls -= 1;
      }
    };
    // The agent gets the trace of the call.
    const trace = traceOfMeta(ctx.mcpReq._meta);
    return trace ? withTrace(trace, answer) : answer();
  });
  const oldTasks = era === 'legacy' ? new OldTasks(server, options, sdk) : undefined;
  if (era === 'modern') serveTasks(server, options, sdk);
  return { server, calls: () => calls };
}

function unknownTool(name: string, missing: readonly string[]): string {
  const advice = missing.length === 0 ? '' : `. Agents that could not be reached: ${missing.join(', ')}`;
  return `Unknown tool: ${name.slice(0, 200)}${advice}`;
}

/** Clients may call a tool that they know from before, without asking for the list. */
async function toolOf(name: string, { roster }: BridgeServerOptions): Promise<BridgedTool | undefined> {
  const known = roster.tools.get(name);
  if (known) return known;
  await roster.look();
  return roster.tools.get(name);
}

function describe({ name, title, description, inputSchema, outputSchema }: BridgedTool, era: Era): Tool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema && { outputSchema: outputSchema as Tool['outputSchema'] }),
    annotations: { openWorldHint: true },
    ...(era === 'legacy' && { execution: { taskSupport: 'optional' as const } }),
  };
}
