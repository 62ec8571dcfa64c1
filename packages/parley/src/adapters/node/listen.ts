import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsSettings } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { isLoopbackAddress } from '../../server/routing/locality.ts';
import { refuseUnreadable, requestBounds } from '../head/client-errors.ts';
import { type ListenedCore, serveNode, targetOf } from './node-exchange.ts';
import { LAST_WORDS } from './node-response.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Connections that are made from now on see this certificate; only for a server that was started with TLS. */
  renew(tls: TlsSettings): void;
  /** Each response from now on is the last one of its connection, so that clients go elsewhere. */
  letGo(): void;
  /** Takes no more connections; resolves when the open ones are done, or cuts them once they had their time. */
  stop(): Promise<void>;
}

/** Probes of the kernel find peers that vanished without a word. */
const TCP_KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000 };

export interface ListenPlace {
  readonly port: number;
  readonly host: string;
  /** Default: no TLS. */
  readonly tls?: TlsSettings | undefined;
}

export async function listenNode(core: ListenedCore, { port, host, tls }: ListenPlace): Promise<Listening> {
  let isOwnLoopback = false;
  let isLettingGo = false;
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean) => {
    // Bytes of a client without `Host` are no requests to go on with.
    if (isLettingGo || incoming.headers.host === undefined) outgoing.shouldKeepAlive = false;
    void serveNode(core, { incoming, outgoing, url: targetOf(incoming.url), expectsContinue, isOwnLoopback });
  };
  const handler = (incoming: IncomingMessage, outgoing: ServerResponse) => handle(incoming, outgoing, false);
  const settings = { ...TCP_KEEP_ALIVE, ...requestBounds(core.limits) };
  const server = tls ? createTlsServer({ ...settings, ...tls }, handler) : createServer(settings, handler);
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => handle(incoming, outgoing, true));
  // Unknown expectations may be passed over (RFC 9110 §10.1.1); Node would refuse them without a body.
  server.on('checkExpectation', handler);
  server.on('clientError', refuseUnreadable);
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
  isOwnLoopback = isLoopbackAddress(address.address);
  const renew = (settings: TlsSettings) => {
    if (server instanceof TlsServer) server.setSecureContext(settings);
  };
  const letGo = () => {
    isLettingGo = true;
  };
  return { host: address.address, port: address.port, renew, letGo, stop: stopper(server) };
}

/** Clients keep spare connections open that have never had a request; Node does not count those as idle. */
function stopper(server: Server): () => Promise<void> {
  const unused = new Set<Socket>();
  const all = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    all.add(socket);
    socket.once('close', () => all.delete(socket));
  });
  const opened = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(opened, (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return () =>
    new Promise((resolve) => {
      const cut = setTimeout(() => {
        server.closeAllConnections();
        // Those that never came to an end with their handshake are not known as connections of HTTP.
        for (const socket of all) socket.destroy();
      }, LAST_WORDS);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      // A response that ends from now on leaves an idle connection.
      const closeIdle = setInterval(() => server.closeIdleConnections(), 10);
      server.once('close', () => clearInterval(closeIdle));
      for (const socket of unused) socket.destroy();
    });
}
