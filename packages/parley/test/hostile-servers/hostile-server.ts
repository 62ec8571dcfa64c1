import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { A2AClient, type ClientOptions } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { cardOf } from '../client/support/recorded.ts';

/** One request of the client, and the means to respond in any way. */
export interface Attack {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** The name of the JSON-RPC method. */
  readonly method: string;
  /** The id of the JSON-RPC request. */
  readonly id: number;
  /** The server's own address. */
  readonly url: string;
}

export interface HostileServer {
  readonly url: string;
  /** The number of requests so far, the card's included. */
  readonly requests: () => number;
  /** The number of bytes that the client has let the server write. */
  readonly written: () => number;
}

/** A server whose card is as it should be, unless it is to be another one, and that does what it likes with calls. */
export async function hostileServer(
  attack: (attack: Attack) => void | Promise<void>,
  card: object | ((url: string) => object) = {},
  serveCard?: (attack: Attack) => void | Promise<void>,
): Promise<HostileServer> {
  let requests = 0;
  const sockets = new Set<Socket>();
  let past = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const { socket } = request;
    response.on('error', () => {});
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => {});
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const { method = '', id = 0 } = text === '' ? {} : (JSON.parse(text) as { method?: string; id?: number });
      const one: Attack = { request, response, socket, method, id, url };
      if (!request.url?.startsWith('/.well-known/')) void attack(one);
      else if (serveCard) void serveCard(one);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        past += socket.bytesWritten;
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const published = cardOf({
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    ...(typeof card === 'function' ? card(url) : card),
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const written = () =>
    [...sockets].reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, past);
  return { url, requests: () => requests, written };
}

/** A client that gives up soon. */
export function clientFor({ url }: HostileServer, options: ClientOptions = {}): A2AClient {
  const quick = { attempts: 2, firstDelay: 1, longestDelay: 1 };
  return new A2AClient(url, { retry: quick, reconnect: quick, ...options });
}
