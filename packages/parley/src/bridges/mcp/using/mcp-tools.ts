import type { Tool } from '@modelcontextprotocol/client';
import { legalName, takeName } from '../tool-names.ts';
import { callTool } from './call.ts';
import { McpConnection } from './connection.ts';
import { inputSchemaOf, type McpInputSchema } from './input-schema.ts';
import { checkSource, type Limits, limitsOf, type McpSource } from './options.ts';
import { type McpModelOutput, type McpToolOutput, modelOutputOf } from './outputs.ts';

/** Ends the use of a tool; the AI SDK passes it in. */
export interface McpUseOptions {
  /** Cancels the call at the server. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool of an MCP server, as the AI SDK has tools. */
export interface McpTool {
  readonly description: string;
  readonly inputSchema: McpInputSchema;
  /** Throws what the server says is wrong, so that the model is told. */
  readonly execute: (input: Record<string, unknown>, options?: McpUseOptions) => Promise<McpToolOutput>;
  readonly toModelOutput: (result: { readonly output: McpToolOutput }) => McpModelOutput;
}

/** The tools of a server by name: a `ToolSet` of the AI SDK. */
export type McpTools = Readonly<Record<string, McpTool>> & {
  /** Ends the connection, and the process of a server that was started. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Names that the record itself has a use for. */
const RESERVED = ['close', 'then', '__proto__', 'constructor'];

/**
 * The tools of an MCP server, of either generation, for language models.
 *
 * @example
 * const files = await mcpTools({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'] });
 * const { text } = await generateText({ model, tools: { ...files }, prompt: 'What is in /data?' });
 * await files.close();
 */
export async function mcpTools(source: McpSource): Promise<McpTools> {
  checkSource(source);
  const limits = limitsOf(source.limits);
  const connection = new McpConnection(source, limits);
  try {
    const tools = await listTools(connection, source, limits);
    const taken = new Set(RESERVED);
    const record: Record<string, McpTool> = {};
    for (const tool of tools) {
      const name = source.prefix === undefined ? tool.name : `${source.prefix}_${tool.name}`;
      record[takeName(legalName(name, 'tool'), taken)] = asTool(tool, connection, limits);
    }
    const close = () => connection.close();
    // Not enumerable: copies of the record are tools alone.
    Object.defineProperty(record, 'close', { value: close });
    Object.defineProperty(record, Symbol.asyncDispose, { value: close });
    return record as unknown as McpTools;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function listTools(connection: McpConnection, source: McpSource, limits: Limits): Promise<readonly Tool[]> {
  const client = await connection.client();
  const { tools } = await client.listTools(undefined, { timeout: limits.connectTimeout });
  const { only } = source;
  const missing = only?.find((name) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined) throw new Error(`The MCP server ${connection.name} has no tool ${missing}`);
  const wanted = only ? tools.filter(({ name }) => only.includes(name)) : tools;
  if (wanted.length > limits.tools) {
    throw new Error(
      `The MCP server ${connection.name} has ${wanted.length} tools, more than limits.tools (${limits.tools}); "only" names those that are wanted`,
    );
  }
  return wanted;
}

function asTool(tool: Tool, connection: McpConnection, limits: Limits): McpTool {
  return {
    description: tool.description ?? tool.title ?? tool.name,
    inputSchema: inputSchemaOf(tool.inputSchema),
    execute: (input, options) => callTool({ connection, tool, limits }, input, options?.abortSignal),
    toModelOutput: ({ output }) => modelOutputOf(output),
  };
}
