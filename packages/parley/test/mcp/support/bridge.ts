import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as sdk from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type AgentNews, type AgentPlace, Roster } from '../../../src/bridges/mcp/serving/agents/roster.ts';
import { loadSchemaCheck } from '../../../src/bridges/mcp/serving/agents/schema-check.ts';
import { Cancellations } from '../../../src/bridges/mcp/serving/calls/turn.ts';
import { bridgeServer } from '../../../src/bridges/mcp/serving/server.ts';
import { KeptResults } from '../../../src/bridges/mcp/serving/tasks/kept-results.ts';

export const CHECK = await loadSchemaCheck();

export const GENERATIONS = ['2026-07-28', '2025-11-25'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** An answer of the person in front of the client. */
export type Person = (params: Readonly<Record<string, unknown>>) => {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean>;
};

export interface McpCaller {
  listTools(): Promise<readonly sdk.Tool[]>;
  callTool(
    name: string,
    args: Record<string, unknown>,
    options?: { readonly signal?: AbortSignal; readonly onprogress?: (progress: unknown) => void },
  ): Promise<sdk.CallToolResult>;
  close(): Promise<void>;
}

export interface Bridge {
  readonly roster: Roster;
  readonly news: AgentNews[];
  readonly cancellations: Cancellations;
  /** The client's end of a new connection. */
  open(): InMemoryTransport;
  /** A client of a generation, with somebody in front of it or nobody. */
  connect(generation: Generation, person?: Person): Promise<McpCaller>;
}

/** The bridge without a process: each client has a connection of its own. */
export function bridgeTo(places: readonly AgentPlace[]): Bridge {
  const news: AgentNews[] = [];
  const roster = new Roster(places, { onNews: (one) => news.push(one), checkSchema: CHECK });
  const cancellations = new Cancellations();
  const parts = {
    sdk,
    version: '1.0.0',
    roster,
    cancellations,
    kept: new KeptResults(),
    explain: (error: unknown) => String(error),
  };
  return {
    roster,
    news,
    cancellations,
    open() {
      const [near, far] = InMemoryTransport.createLinkedPair();
      serveStdio(({ era }) => bridgeServer(parts, era).server, { transport: far });
      return near;
    },
    async connect(generation, person) {
      const near = this.open();
      return generation === '2025-11-25' ? oldCaller(near as unknown as OldTransport, person) : newCaller(near, person);
    },
  };
}

const CAPABILITIES = { elicitation: { form: {}, url: {} } };

export async function newCaller(transport: Parameters<Client['connect']>[0], person?: Person): Promise<McpCaller> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: person ? CAPABILITIES : {} },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params));
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, options) => client.callTool({ name, arguments: args }, options as never),
    close: () => client.close(),
  };
}

export async function oldCaller(transport: OldTransport, person?: Person): Promise<McpCaller> {
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const client = new OldClient({ name: 'test', version: '1' }, { capabilities: person ? CAPABILITIES : {} });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params));
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools as readonly sdk.Tool[],
    callTool: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options as never)) as sdk.CallToolResult,
    close: () => client.close(),
  };
}
