import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { registerTools } from './server-tools.ts';

export interface McpHttpServer {
  readonly url: string;
  /** Headers of the last request. */
  readonly last: { headers: Readonly<Record<string, unknown>> };
  /** Forgets all sessions, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

/** A server of 2026-07-28 alone. */
export async function startNewServer(): Promise<McpHttpServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'new', version: '1' });
      registerTools(server as never);
      return server;
    },
    { legacy: 'reject' },
  );
  const serve = toNodeHandler(handler);
  const last = { headers: {} };
  const server = createServer((request, response) => {
    last.headers = request.headers;
    void serve(request, response);
  });
  return listening(server, last, () => {});
}

const NO_SESSION = JSON.stringify({
  jsonrpc: '2.0',
  error: { code: -32_000, message: 'Bad Request: No valid session ID provided' },
  id: null,
});

/** A server of 2025-11-25, with sessions. `forgotten`: the status for a session that it does not know. */
export async function startOldServer(forgotten = 404): Promise<McpHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const last = { headers: {} };
  const server = createServer((request, response) => {
    void (async () => {
      last.headers = request.headers;
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !known) return response.writeHead(forgotten).end(NO_SESSION);
      const transport: StreamableHTTPServerTransport =
        known ??
        new StreamableHTTPServerTransport({
          sessionIdGenerator: () => crypto.randomUUID(),
          onsessioninitialized: (made) => void sessions.set(made, transport),
        });
      if (!known) {
        const fresh = new OldServer({ name: 'old', version: '1' });
        registerTools(fresh as never);
        await fresh.connect(transport as never);
      }
      return transport.handleRequest(request, response);
    })();
  });
  return listening(server, last, () => sessions.clear());
}

async function listening(server: Server, last: McpHttpServer['last'], forget: () => void): Promise<McpHttpServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    last,
    forget,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
