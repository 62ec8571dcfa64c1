import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpTools } from 'parley-a2a/mcp';
import { expect, it, onTestFinished } from 'vitest';

/** More than any reader may keep. */
const FLOOD = 200 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');

interface Endless {
  readonly url: string;
  /** Bytes of the response that has no end, when its client has left. */
  readonly sent: Promise<number>;
}

/** A server with a tool, whose response to one method never ends. */
async function startServer(endless: string, begin: (response: ServerResponse) => unknown): Promise<Endless> {
  const sent = Promise.withResolvers<number>();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return void response.writeHead(202).end();
    if (method === endless) {
      begin(response);
      return sent.resolve(await flood(response));
    }
    const result = resultOf(method, params);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, sent: sent.promise };
}

function resultOf(method: string, params: { readonly protocolVersion?: string }): unknown {
  if (method === 'tools/list') return { tools: [{ name: 'talk', inputSchema: { type: 'object' } }] };
  const { protocolVersion } = params;
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'endless', version: '1' } };
}

/** Writes at the pace of the reader, until it leaves. */
async function flood(response: ServerResponse): Promise<number> {
  const left = new AbortController();
  response.once('close', () => left.abort()).on('error', () => {});
  let sent = 0;
  while (!left.signal.aborted && sent < FLOOD) {
    sent += PIECE.length;
    if (!response.write(PIECE)) await once(response, 'drain', { signal: left.signal }).catch(() => {});
  }
  response.destroy();
  return sent;
}

const TOO_LONG = /A message of the server has more than \d+ bytes/;
const JSON_TYPE = 'application/json';

it.each<[string, string, number, string, string, RegExp]>([
  ['list of tools', 'tools/list', 200, JSON_TYPE, '{"jsonrpc":"2.0","id":', TOO_LONG],
  ['result', 'tools/call', 200, JSON_TYPE, '{"jsonrpc":"2.0","id":', TOO_LONG],
  // The rest of a stream that broke may come another way, so the client waits for it.
  ['event', 'tools/call', 200, 'text/event-stream', 'data: ', /timed out/],
  ['error', 'tools/call', 500, 'text/plain', 'Sorry', /Error POSTing to endpoint/],
])('an MCP server whose %s has no end is left before it fills the memory', async (_, ...facts) => {
  const [method, status, type, start, said] = facts;
  const server = await startServer(method, (response) => {
    response.writeHead(status, { 'content-type': type }).write(start);
  });
  const use = async () => {
    const tools = await mcpTools({
      url: server.url,
      protocol: '2025-11-25',
      limits: { resultBytes: 1000, callTimeout: 2000 },
    });
    onTestFinished(() => tools.close());
    await tools.talk?.execute({});
  };
  await expect(use()).rejects.toThrow(said);
  // The bound, and what sockets keep.
  expect(await server.sent).toBeLessThan(50 * 1024 * 1024);
});
