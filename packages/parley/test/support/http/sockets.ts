import { connect, type Socket } from 'node:net';
import type { A2AServer } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { RpcPeer } from '../rpc.ts';

/** A peer that talks to the server over real sockets. */
export async function listening(server: A2AServer): Promise<RpcPeer> {
  await server.listen({ port: 0 });
  return new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
}

export interface BareRequest {
  readonly socket: Socket;
  /** Reads the response to its end. */
  body(): Promise<string>;
  /** Goes away without a word. */
  destroy(): void;
}

/** A JSON-RPC request over a bare socket, of whose response nothing is read until a test wants it. */
export async function bareRequest(server: A2AServer, method: string, params: unknown): Promise<BareRequest> {
  const { hostname, port } = new URL(server.url ?? '');
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  // HTTP/1.0, so that the response has no chunks and ends with the connection.
  const head = ['POST /a2a HTTP/1.0', 'Content-Type: application/json', 'A2A-Version: 1.0'];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return {
    socket,
    destroy: () => void socket.destroy(),
    async body() {
      const pieces: Buffer[] = [];
      for await (const piece of socket) pieces.push(piece as Buffer);
      const response = Buffer.concat(pieces).toString('utf8');
      return response.slice(response.indexOf('\r\n\r\n') + 4);
    },
  };
}
