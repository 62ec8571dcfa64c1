import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery, Inbox, Receiver } from './server.ts';

/** Deliveries that are kept for one address, and the size of each. */
const MOST_DELIVERIES = 200;
const LARGEST_BYTES = 2 ** 20;

export interface RunningReceiver extends Receiver {
  readonly close: () => void;
}

/** A server for push notifications on this machine, with an address of its own for each inbox. */
export async function startReceiver(host = '127.0.0.1'): Promise<RunningReceiver> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    void readSome(request).then((text) => {
      const box = boxes.get(request.url ?? '');
      response.writeHead(box?.take(request, text) ?? 404).end();
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, host);
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    inbox() {
      const path = `/${crypto.randomUUID()}`;
      const box = new Box(`http://${name}:${port}${path}`);
      boxes.set(path, box);
      return box;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

class Box implements Inbox {
  readonly url: string;
  readonly deliveries: Delivery[] = [];
  readonly #statuses: number[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(url: string) {
    this.url = url;
  }

  answer(...statuses: readonly number[]): void {
    this.#statuses.push(...statuses);
  }

  /** Keeps a delivery; returns the status of the response. */
  take({ method = '', headers }: IncomingMessage, text: string): number {
    if (this.deliveries.length < MOST_DELIVERIES) {
      const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      this.deliveries.push({ method, headers: Object.fromEntries(flat), text });
    }
    for (const wake of this.#waiting) wake();
    return this.#statuses.shift() ?? 200;
  }

  async find(fits: (delivery: Delivery) => boolean, waitMs: number): Promise<Delivery | undefined> {
    const end = performance.now() + waitMs;
    for (;;) {
      const found = this.deliveries.find(fits);
      const left = end - performance.now();
      if (found !== undefined || left <= 0) return found;
      await this.#news(left);
    }
  }

  #news(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.add(done);
    });
  }
}

async function readSome(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    // The bytes received before the cut are returned.
  }
  return Buffer.concat(chunks).toString('utf8');
}
