import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Handler = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A server on a free port that answers as the test wants. */
export async function hostileServer(handle: Handler): Promise<string> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => handle(response, request, Buffer.concat(pieces).toString('utf8')));
    request.on('error', () => {});
    response.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a2a`;
}

/** The same answer to everything. */
export function answering(status: number, type: string | undefined, body: string): Handler {
  return (response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type });
    response.end(body);
  };
}
