import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  Oversized,
  type Peer,
  type ResponseStream,
} from '../bindings/exchange.ts';
import type { ServerCore } from '../server/core.ts';
import { StallWatch } from './stall-watch.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; resolves when the open ones are done, or cuts them once they had their time. */
  stop(): Promise<void>;
}

/** What is behind a listener. */
export type ListenedCore = Pick<ServerCore, 'limits' | 'log' | 'handle'>;

class SocketPeer implements Peer {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get address(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get protocol(): 'http' | 'https' {
    return 'encrypted' in this.#socket ? 'https' : 'http';
  }
}

/** How long answers that are being written may take when the server stops, or when a stream has reached its limit. */
const LAST_WORDS = 2000;

/** Probes of the kernel find peers that vanished without a word. */
const TCP_KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/** A request listener for `node:http`. */
export function nodeHandler(core: ListenedCore): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    const fail = (error: unknown) => {
      core.log.error('A response could not be written', { error });
      outgoing.destroy();
    };
    serve(core, incoming, outgoing, fail).catch(fail);
  };
}

export async function listenNode(core: ListenedCore, port: number, host: string): Promise<Listening> {
  const handler = nodeHandler(core);
  const server = createServer(TCP_KEEP_ALIVE, handler);
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
  core: ListenedCore,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fail: (error: unknown) => void,
): Promise<void> {
  const body = await readBody(incoming, core.limits.bodyBytes);
  if (body === 'aborted') return;
  const exchange: ExchangeRequest = {
    method: incoming.method ?? 'GET',
    url: pathOf(incoming.url ?? '/'),
    headers: incoming.headers,
    body,
    peer: new SocketPeer(incoming.socket),
  };
  const response = await core.handle(exchange);
  if (body instanceof Oversized) {
    // What is left of the body is not waited for.
    outgoing.setHeader('connection', 'close');
    incoming.resume();
  }
  if (typeof response.body !== 'object') send(outgoing, response, incoming.method);
  else if (incoming.method === 'HEAD') end(outgoing, response, response.body);
  else stream(outgoing, response, response.body, { stallTimeout: core.limits.stallTimeout, fail });
}

/** A request that is sent to a proxy names scheme and host first (RFC 9112 §3.2.2). */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

function send(outgoing: ServerResponse, { status, headers, body }: ExchangeResponse, method: string | undefined): void {
  const text = typeof body === 'string' ? body : '';
  const hasLength = status !== 304 && status !== 204;
  outgoing.writeHead(status, hasLength ? { ...headers, 'content-length': Buffer.byteLength(text) } : headers);
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
  { stallTimeout, fail }: { readonly stallTimeout: number; readonly fail: (error: unknown) => void },
): void {
  if (outgoing.destroyed || outgoing.closed) {
    body.close();
    return;
  }
  const watch = new StallWatch(outgoing, stallTimeout);
  const pump = (): void => {
    try {
      if (forward(body, outgoing)) body.whenReadable(pump);
      else if (outgoing.writableNeedDrain) watch.start();
    } catch (error) {
      // Whoever published what is written here must not meet the trouble of one reader.
      fail(error);
    }
  };
  body.onClose = () => {
    if (outgoing.writableNeedDrain) watch.finish(LAST_WORDS);
  };
  outgoing.once('close', () => {
    watch.stop();
    body.close();
  });
  outgoing.on('drain', () => {
    watch.stop();
    pump();
  });
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
