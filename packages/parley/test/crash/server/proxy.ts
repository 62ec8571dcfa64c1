import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pause } from '../../support/script.ts';

/** What happens to the bytes of one connection on their way to the client. */
export interface Mishap {
  /** After so many bytes of the answer the connection ends; undefined = never. */
  readonly endAfter?: number | undefined;
  /**
   * How it ends: `cut` resets both sides, `half-close` ends the client's side properly and leaves the server's open,
   * `vanish` takes nothing more from the server and tells neither side, whatever the other does, until `reset()`.
   */
  readonly end?: 'cut' | 'half-close' | 'vanish' | undefined;
  /** The largest piece that is passed on in one write; 1 = every byte by itself. */
  readonly piece?: number | undefined;
  /** Milliseconds to wait before each piece that came from the server. */
  readonly delay?: number | undefined;
}

/** A bad line to a server: each connection has the mishap that `next` gives it. */
export class BadLine {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #portNow: () => number;
  readonly #next: () => Mishap;
  connections = 0;

  /** @param port where the server listens on 127.0.0.1, asked for each connection where it changes */
  constructor(port: number | (() => number), next: () => Mishap) {
    this.#portNow = typeof port === 'number' ? () => port : port;
    this.#next = next;
  }

  /** Resolves with the address that clients use. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resets all connections, on both sides. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    this.connections += 1;
    const mishap = this.#next();
    const upstream = connect({ port: this.#portNow(), host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    }
    const tells = mishap.end !== 'vanish';
    if (tells) client.once('close', () => upstream.destroy());
    client.pipe(upstream, { end: tells });
    void passOn(upstream, client, mishap);
  }
}

async function passOn(from: Socket, to: Socket, mishap: Mishap): Promise<void> {
  const { endAfter = Number.POSITIVE_INFINITY, piece = Number.POSITIVE_INFINITY, delay = 0 } = mishap;
  let left = endAfter;
  try {
    // What ends the loop must not end the server's side with it.
    for await (const bytes of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (delay > 0) await pause(delay);
      const passing = bytes.subarray(0, Math.min(bytes.length, left));
      for (let at = 0; at < passing.length; at += piece) {
        if (!to.write(passing.subarray(at, at + piece))) await once(to, 'drain');
        // A turn of the loop between pieces, or they would leave together.
        if (at + piece < passing.length) await new Promise(setImmediate);
      }
      left -= passing.length;
      if (left === 0) return finish(from, to, mishap);
    }
    to.end();
  } catch {
    // One side is gone.
    to.destroy();
  }
}

function finish(from: Socket, to: Socket, { end = 'cut' }: Mishap): void {
  if (end !== 'cut') {
    if (end === 'half-close') to.end();
    return;
  }
  from.destroy();
  to.resetAndDestroy();
}
