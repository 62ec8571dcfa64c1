import { connect, type Socket } from 'node:net';
import type { A2AServer } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../../support/patience.ts';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test writes whatever it likes, and reads responses as HTTP/1.1 frames them. */
export class RawSocket {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** Everything that has come and was not read as a response. */
  get received(): string {
    return this.#received.toString('latin1');
  }

  write(data: string | Uint8Array): void {
    this.socket.write(typeof data === 'string' ? Buffer.from(data, 'utf8') : data);
  }

  /** Whether the server has closed the connection. */
  async closed(): Promise<boolean> {
    return this.#until(() => this.#ended || undefined);
  }

  /** The next response; rejects where the connection ends or nothing comes before there is one. */
  async response(): Promise<RawResponse> {
    return this.#until(() => this.#parse());
  }

  async #until<Value>(look: () => Value | undefined): Promise<Value> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`nothing came; received so far: ${JSON.stringify(this.received.slice(0, 500))}`);
      if (this.#ended) throw new Error(`the connection ended after ${JSON.stringify(this.received.slice(0, 500))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  #parse(): RawResponse | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const [first = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const status = Number(first.split(' ')[1]);
    const length = headers.get('content-length');
    const rest = this.#received.subarray(end + 4);
    const take = (bytes: number, body: Buffer): RawResponse => {
      this.#received = rest.subarray(bytes);
      return { status, headers, body: body.toString('utf8') };
    };
    if (status < 200 || status === 204 || status === 304) return take(0, Buffer.alloc(0));
    if (length !== undefined)
      return rest.length < Number(length) ? undefined : take(Number(length), rest.subarray(0, Number(length)));
    if (headers.get('transfer-encoding') === 'chunked') {
      const last = rest.indexOf('0\r\n\r\n');
      return last === -1 ? undefined : take(last + 5, rest.subarray(0, last));
    }
    return this.#ended ? take(rest.length, rest) : undefined;
  }
}

/** A new connection to a server that listens. */
export async function open(server: A2AServer): Promise<RawSocket> {
  const { hostname, port } = new URL(server.url ?? '');
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  onTestFinished(() => void socket.destroy());
  const raw = new RawSocket(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return raw;
}

/** A request line and headers. */
export function head(line: string, headers: readonly string[] = []): string {
  return [line, 'Host: localhost', ...headers, '', ''].join('\r\n');
}
