import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ExchangeRequest, type ExchangeResponse, Oversized, type ResponseStream } from '../bindings/exchange.ts';
import type { ServerCore } from '../server/core.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; resolves when the open ones are done, or cuts them once they had their time. */
  stop(): Promise<void>;
}

/** How long answers that are being written may take when the server stops. */
const LAST_WORDS = 2000;

/** A request listener for `node:http`. */
export function nodeHandler(core: ServerCore): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    const fail = (error: unknown) => {
      core.log.error('A response could not be written', { error });
      outgoing.destroy();
    };
    serve(core, incoming, outgoing, fail).catch(fail);
  };
}

export async function listenNode(core: ServerCore, port: number, host: string): Promise<Listening> {
  const handler = nodeHandler(core);
  const server = createServer(handler);
  // A client that asks first is not invited to send what would be refused.
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!isAnnouncedTooLarge(incoming, core.limits.bodyBytes)) outgoing.writeContinue();
    handler(incoming, outgoing);
  });
  // Streams may be silent for as long as their keep-alive says; only half-open requests time out.
  server.timeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return { host: address.address, port: address.port, stop: stopper(server) };
}

/** Clients keep spare connections open that have never had a request; Node does not count those as idle. */
function stopper(server: Server): () => Promise<void> {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return () =>
    new Promise((resolve) => {
      const cut = setTimeout(() => server.closeAllConnections(), LAST_WORDS);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      // An answer that ends from now on leaves an idle connection behind.
      const closeIdle = setInterval(() => server.closeIdleConnections(), 10);
      server.once('close', () => clearInterval(closeIdle));
      for (const socket of unused) socket.destroy();
    });
}

async function serve(
  core: ServerCore,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fail: (error: unknown) => void,
): Promise<void> {
  const body = await readBody(incoming, core.limits.bodyBytes);
  if (body === 'aborted') return;
  const exchange: ExchangeRequest = {
    method: incoming.method ?? 'GET',
    // As sent to a proxy, it begins with scheme and host (RFC 9112 §3.2.2).
    url: (incoming.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    headers: incoming.headers,
    body,
    peer: { address: incoming.socket.remoteAddress, protocol: 'encrypted' in incoming.socket ? 'https' : 'http' },
  };
  const response = await core.handle(exchange);
  if (body instanceof Oversized) {
    // What is left of the body is not waited for.
    outgoing.setHeader('connection', 'close');
    incoming.resume();
  }
  if (typeof response.body !== 'object') send(outgoing, response, incoming.method);
  else if (incoming.method === 'HEAD') end(outgoing, response, response.body);
  else stream(outgoing, response, response.body, fail);
}

function send(outgoing: ServerResponse, { status, headers, body }: ExchangeResponse, method: string | undefined): void {
  const text = typeof body === 'string' ? body : '';
  const length = status === 304 || status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(method === 'HEAD' ? undefined : text);
}

/** The headers of a stream that nobody will read. */
function end(outgoing: ServerResponse, { status, headers }: ExchangeResponse, body: ResponseStream): void {
  body.close();
  outgoing.writeHead(status, headers);
  outgoing.end();
}

/** Writes as fast as the peer reads, and frees the stream at once when the peer is gone. */
function stream(
  outgoing: ServerResponse,
  { status, headers }: ExchangeResponse,
  body: ResponseStream,
  fail: (error: unknown) => void,
): void {
  if (outgoing.destroyed || outgoing.closed) {
    body.close();
    return;
  }
  const pump = (): void => {
    try {
      if (forward(body, outgoing)) body.whenReadable(pump);
    } catch (error) {
      // Whoever published what is written here must not meet the trouble of one reader.
      fail(error);
    }
  };
  outgoing.once('close', () => body.close());
  outgoing.on('drain', pump);
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  pump();
}

/** Hands on what is ready. True if there is nothing more yet; false if the peer must read first, or at the end. */
function forward(body: ResponseStream, outgoing: ServerResponse): boolean {
  while (!outgoing.destroyed) {
    const text = body.read();
    if (text === '') return true;
    if (text === undefined) {
      outgoing.end();
      return false;
    }
    if (!outgoing.write(text)) return false;
  }
  return false;
}

type Body = Uint8Array | undefined | Oversized | 'aborted';

function isAnnouncedTooLarge(incoming: IncomingMessage, limit: number): boolean {
  return Number(incoming.headers['content-length'] ?? 0) > limit;
}

function readBody(incoming: IncomingMessage, limit: number): Promise<Body> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve(undefined);
  if (isAnnouncedTooLarge(incoming, limit)) return Promise.resolve(new Oversized(limit));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        incoming.removeAllListeners('data');
        resolve(new Oversized(limit));
        return;
      }
      chunks.push(chunk);
    });
    incoming.on('end', () => {
      if (size === 0) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
    });
    incoming.on('close', () => resolve('aborted'));
    incoming.on('error', () => resolve('aborted'));
  });
}
