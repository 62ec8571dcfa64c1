import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import * as sdk from '@modelcontextprotocol/server';
import { type AgentPlace, Roster } from '../../../src/bridges/mcp/serving/agents/roster.ts';
import { Cancellations } from '../../../src/bridges/mcp/serving/calls/turn.ts';
import { HttpBridge } from '../../../src/bridges/mcp/serving/http/http-bridge.ts';
import { KeptResults } from '../../../src/bridges/mcp/serving/tasks/kept-results.ts';

const VERSION = '2026-07-28';
const clientInfo = { name: 'test', version: '1' };
const clientCapabilities = { elicitation: { form: {} } };

type Dispatch = Parameters<typeof createTaskSessionFromClient>[1] extends infer Options
  ? NonNullable<Extract<Options, { readonly rawDispatch: unknown }>['rawDispatch']>
  : never;

/** The bridge over HTTP without a socket. */
export function httpBridgeTo(places: readonly AgentPlace[], taskDelay?: number) {
  const roster = new Roster(places, { onNews: () => {}, checkSchema: () => true });
  const parts = {
    sdk,
    version: '1',
    roster,
    cancellations: new Cancellations(),
    kept: new KeptResults(),
    explain: (error: unknown) => String(error),
    taskDelay,
  };
  const bridge = new HttpBridge(parts, () => {});
  const send = async (url: string | URL, init: RequestInit = {}) =>
    bridge.handle(new Request(url, init), typeof init.body === 'string' ? init.body : '');
  return { bridge, roster, parts, send };
}

/** A client of the tasks extension, from its own package. */
export async function taskSession(
  send: ReturnType<typeof httpBridgeTo>['send'],
  onElicitation?: (params: unknown) => {
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: Record<string, string>;
  },
) {
  const url = 'http://localhost/mcp';
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: { pin: VERSION } },
    capabilities: clientCapabilities,
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: send as never }));
  let id = 0;
  const rawDispatch: Dispatch = async (request) => {
    id += 1;
    const { method, params } = request as { readonly method: string; readonly params: Record<string, unknown> };
    const name = String(params.name ?? params.taskId);
    const response = await send(url, {
      method: 'POST',
      body: JSON.stringify({ ...(request as object), jsonrpc: '2.0', id }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        'mcp-name': name,
      },
    });
    const text = await response.text();
    const line = /^data: (.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? text;
    const { result, error } = JSON.parse(line) as { readonly result?: never; readonly error?: never };
    return error ? { kind: 'error', error } : { kind: 'result', result: result as never };
  };
  const session = createTaskSessionFromClient(client, {
    endpointId: 'bridge',
    rawDispatch,
    v2RequestFraming: { protocolVersion: VERSION, clientInfo, clientCapabilities },
    ...(onElicitation && {
      onInputRequest: async (request) => onElicitation((request as { readonly params: unknown }).params) as never,
    }),
  });
  return { client, session, rawDispatch };
}
