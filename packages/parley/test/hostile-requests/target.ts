import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { sendParams, type Wire } from '../support/rpc.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', '--expose-gc'];

export interface Asked {
  readonly path: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

export interface Response {
  readonly status: number;
  readonly text: string;
}

/** A server in a process of its own, and the ways to attack it. */
export class Target {
  /** Errors in the server's log. */
  readonly logged: string[] = [];
  /** Host and port. */
  readonly grpcAddress: string;
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: false });
  readonly #sockets = new Set<Socket>();

  private constructor(child: ChildProcess, url: string, grpcAddress: string) {
    this.grpcAddress = grpcAddress;
    this.#child = child;
    this.#port = Number(new URL(url).port);
    child.on('message', (said: { readonly logged?: string }) => {
      if (said.logged !== undefined) this.logged.push(said.logged);
    });
  }

  static async start(store: 'memory' | 'sqlite', file: string): Promise<Target> {
    const child = fork(SCRIPT, [store, file], { execArgv: FLAGS });
    const [{ url, grpcAddress }] = await once(child, 'message');
    return new Target(child, url, grpcAddress);
  }

  async close(): Promise<void> {
    this.hangUp();
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Megabytes of resident memory: the highest since the last question. */
  async peak(question: 'measure' | 'report'): Promise<number> {
    for (;;) {
      const answered = once(this.#child, 'message');
      this.#child.send(question);
      const [said] = await answered;
      if ('peak' in said) return said.peak / 1024 ** 2;
    }
  }

  /** Each request on a connection of its own, as attackers have them. */
  ask({ path, method = 'POST', headers = {}, body }: Asked): Promise<Response> {
    const framing = { 'content-length': String(body?.length ?? 0), connection: 'close' };
    const json = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, path, method };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, headers: { ...json, ...framing, ...headers } }, (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
      });
      // A server may respond before the whole body has come, and close.
      outgoing.on('error', (error) => resolve({ status: 0, text: String(error) }));
      outgoing.end(body);
    });
  }

  rpc(method: string, params: unknown, path = '/a2a', more: object = {}): Promise<Response> {
    return this.ask({ path, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...more }) });
  }

  /** A task that has ended, or waits. */
  async task(text: string): Promise<string> {
    const { text: response } = await this.rpc('SendMessage', sendParams(text));
    const { result }: Wire = JSON.parse(response);
    return result.task.id;
  }

  /** A connection that writes this and then does nothing; `reads`: it takes what comes and forgets it. */
  async open(text: string | Uint8Array, { reads = false } = {}): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    this.#sockets.add(socket);
    socket.on('error', () => {});
    if (reads) socket.resume();
    await once(socket, 'connect');
    await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    return socket;
  }

  /** Closes what `open` opened. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}

/** The head of a request, by hand. */
export function head(method: string, path: string, length: number, more: readonly string[] = []): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', 'A2A-Version: 1.0'];
  return [...lines, `Content-Length: ${length}`, ...more, '', ''].join('\r\n');
}
