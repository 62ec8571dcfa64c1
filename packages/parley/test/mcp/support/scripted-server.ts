import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ScriptedServer {
  /** A result for each method beside `initialize`, or a function that writes the whole response. */
  readonly [method: string]: object | ((response: ServerResponse) => void);
}

/** A server of 2025-11-25 over HTTP that says what its script says, right or wrong. Resolves with its address. */
export async function startScriptedServer(script: ScriptedServer): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return void response.writeHead(202).end();
    const said = method === 'initialize' ? greetingOf(params) : script[method];
    if (typeof said === 'function') return said(response);
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: said });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function greetingOf({ protocolVersion }: { readonly protocolVersion: string }): object {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '1' } };
}
