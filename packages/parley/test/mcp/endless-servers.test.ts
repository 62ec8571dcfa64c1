import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { mcpTools } from 'parley-a2a/mcp';
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedServer } from './support/scripted-server.ts';

/** More than any reader may keep. */
const FLOOD = 200 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const TOOLS = { tools: [{ name: 'talk', inputSchema: { type: 'object' } }] };

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
  const sent = Promise.withResolvers<number>();
  const neverEnd = (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type }).write(start);
    sent.resolve(flood(response));
  };
  const url = await startScriptedServer({ 'tools/list': TOOLS, [method]: neverEnd });
  const use = async () => {
    const tools = await mcpTools({ url, protocol: '2025-11-25', limits: { resultBytes: 1000, callTimeout: 2000 } });
    onTestFinished(() => tools.close());
    await tools.talk?.execute({});
  };
  await expect(use()).rejects.toThrow(said);
  // The bound, and what sockets keep.
  expect(await sent.promise).toBeLessThan(50 * 1024 * 1024);
});
