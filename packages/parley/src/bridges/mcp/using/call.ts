import type { Client, Tool } from '@modelcontextprotocol/client';
import { tracedProtocolCall } from '../../../bindings/http/current-trace.ts';
import { isPlainObject } from '../../../model/basics/json.ts';
import { metaOfTrace } from '../trace-meta.ts';
import { type McpConnection, messageOf } from './connection.ts';
import type { Limits } from './options.ts';
import { type McpToolOutput, textIn } from './outputs.ts';

interface Use {
  readonly connection: McpConnection;
  readonly tool: Tool;
  readonly limits: Limits;
}

/** The status of a session that the server has forgotten, such as by a restart. */
const NO_SESSION = 404;
/** The status that many servers give it instead, after the examples of the older SDK, with words about the session. */
const BAD_REQUEST = 400;
const ABOUT_SESSION = /session|not initialized/i;

/** Calls a tool. A server that has died is started again; a call that was on its way is not repeated. */
export async function callTool(use: Use, input: Record<string, unknown>, signal?: AbortSignal): Promise<McpToolOutput> {
  const { connection, tool, limits } = use;
  signal?.throwIfAborted();
  let client = await connected(connection, signal);
  try {
    return await send(client, use, input, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isForgotten(error, client)) throw told(use, error);
    connection.forget(client);
    client.close().catch(() => {});
  }
  client = await connected(connection, signal);
  try {
    return await send(client, use, input, signal);
  } catch (error) {
    throw told({ connection, tool, limits }, error);
  }
}

/** The client, unless the caller leaves first: a server that is started again may take long. */
function connected(connection: McpConnection, signal: AbortSignal | undefined): Promise<Client> {
  const client = connection.client();
  if (!signal) return client;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    client.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** Sends the call as part of the trace of the work at hand, which the server gets in `_meta`. */
function send(
  client: Client,
  use: Use,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<McpToolOutput> {
  const { connection, tool, limits } = use;
  const settings = {
    timeout: limits.callTimeout,
    maxTotalTimeout: limits.totalTimeout,
    resetTimeoutOnProgress: true,
    // A server tells of progress only if the client listens.
    onprogress: () => {},
    toolDefinition: withoutOutputSchema(tool),
    ...(signal && { signal }),
  };
  const call = { method: 'tools/call', tool: tool.name, address: connection.address, isToolError };
  return tracedProtocolCall(call, async (trace) => {
    const meta = metaOfTrace(trace);
    const params = { name: tool.name, arguments: input, ...(meta && { _meta: meta }) };
    return checked(use, await client.callTool(params, settings));
  });
}

/**
 * The client compiles the schema of results and checks them by it. Both are the server's, and a pattern that takes for ever on
 * its own result would stop this process; a schema that cannot be compiled would forbid the tool.
 */
function withoutOutputSchema(tool: Tool): Tool {
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

class ToolFailure extends Error {}

function isToolError(error: unknown): boolean {
  return error instanceof ToolFailure;
}

function checked({ tool, limits, connection }: Use, result: unknown): McpToolOutput {
  if (!isPlainObject(result)) throw new ToolFailure(`${tool.name} of ${connection.name} gave no result`);
  const { content, structuredContent, isError } = result;
  const output: McpToolOutput = {
    content: Array.isArray(content) ? content : [],
    ...(structuredContent !== undefined && { structuredContent }),
  };
  const size = JSON.stringify(output).length;
  if (size > limits.resultBytes) {
    throw new ToolFailure(
      `The result of ${tool.name} has ${size} bytes, more than limits.resultBytes (${limits.resultBytes})`,
    );
  }
  if (isError === true) throw new ToolFailure(textIn(output) || `${tool.name} failed without a reason`);
  return output;
}

function told({ tool, connection }: Use, error: unknown): Error {
  if (error instanceof ToolFailure) return error;
  return new Error(`${tool.name} of ${connection.name}: ${messageOf(error)}`, { cause: error });
}

function isForgotten(error: unknown, { transport }: Client): boolean {
  const data = isPlainObject(error) || error instanceof Error ? (error as { readonly data?: unknown }).data : undefined;
  if (!isPlainObject(data)) return false;
  if (data.status === NO_SESSION) return true;
  // A server may answer anything else so, also after it has run the call.
  return data.status === BAD_REQUEST && transport?.sessionId !== undefined && ABOUT_SESSION.test(String(data.text));
}
