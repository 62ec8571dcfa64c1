import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A frame that came as a whole. */
export interface Frame {
  readonly id: number;
  /** Stands for its data, of which there is too much to keep. */
  readonly digest: string;
}

export interface ReaderOptions {
  /** Where it connects to, perhaps not the server itself. */
  readonly url: string;
  readonly taskId: string;
  /** The `Last-Event-ID` that it names. */
  readonly after?: number | undefined;
  /** How much it takes from the system at once: its socket never holds more than this. */
  readonly piece?: number | undefined;
  /** Looks at the data of each frame. */
  readonly onData?: ((data: string) => void) | undefined;
}

const COLON = ':'.charCodeAt(0);
const END_OF_FRAME = '\n\n';

/** A subscriber over a bare socket, which reads nothing until it is told to. */
export class SocketReader {
  readonly frames: Frame[] = [];
  readonly socket: Socket;
  readonly #closed: Promise<void>;
  readonly #onData: ((data: string) => void) | undefined;
  #bytes = 0;
  #comments = 0;
  #allowed = 0;
  #pending: Buffer = Buffer.alloc(0);
  #isHead = true;
  #timer: NodeJS.Timeout | undefined;
  #progress: (() => void) | undefined;
  #failure: unknown;

  constructor({ url, taskId, after, piece = 64 * 1024, onData }: ReaderOptions) {
    const { hostname, port } = new URL(url);
    this.#onData = onData;
    this.socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: Buffer.alloc(piece), callback: (length, bytes) => this.#take(bytes.subarray(0, length)) },
    });
    this.socket.pause();
    this.socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        clearInterval(this.#timer);
        this.#progress?.();
        resolve();
      });
    });
    this.socket.write(requestOf(taskId, after));
  }

  /** How many bytes of the answer it has read. */
  get bytes(): number {
    return this.#bytes;
  }

  get comments(): number {
    return this.#comments;
  }

  /** The id of its last whole frame. */
  get position(): number {
    return this.frames.at(-1)?.id ?? 0;
  }

  /** Reads as fast as it can, until the connection ends. */
  async toEnd(): Promise<void> {
    this.#allow(Number.POSITIVE_INFINITY);
    await this.#closed;
    if (this.#failure) throw this.#failure;
  }

  /** Reads one piece each time that so many milliseconds have passed. */
  trickle(milliseconds: number): void {
    this.#timer = setInterval(() => this.#allow(1), milliseconds);
  }

  /** Reads until this is true, then stops; rejects if the connection ends before. */
  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      if (this.socket.destroyed) throw this.#failure ?? new Error(`The connection ended after ${this.#bytes} bytes`);
      const progress = new Promise<void>((resolve) => {
        this.#progress = resolve;
      });
      this.#allow(1);
      await progress;
    }
  }

  /** Goes away, as a process does that ends. */
  destroy(): void {
    this.socket.destroy();
  }

  #allow(bytes: number): void {
    this.#allowed = bytes;
    this.socket.resume();
  }

  /** False stops the reading. */
  #take(bytes: Uint8Array): boolean {
    this.#bytes += bytes.length;
    this.#allowed -= bytes.length;
    this.#pending = Buffer.concat([this.#pending, bytes]);
    try {
      this.#split();
    } catch (error) {
      this.#failure = error;
      this.socket.destroy();
    }
    this.#progress?.();
    return this.#allowed > 0;
  }

  #split(): void {
    if (this.#isHead) {
      const end = this.#pending.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = this.#pending.toString('latin1', 0, end);
      if (!/^HTTP\/1\.1 200 .*text\/event-stream/s.test(head)) throw new Error(`No stream: ${head}`);
      this.#isHead = false;
      this.#pending = this.#pending.subarray(end + 4);
    }
    let from = this.#afterComments(0);
    for (let end = this.#endOfFrame(from); end !== -1; end = this.#endOfFrame(from)) {
      this.#frame(this.#pending.toString('utf8', from, end));
      from = this.#afterComments(end + END_OF_FRAME.length);
    }
    this.#pending = this.#pending.subarray(from);
  }

  #endOfFrame(from: number): number {
    return this.#pending.indexOf(END_OF_FRAME, from);
  }

  /** Comments are lines between frames. */
  #afterComments(start: number): number {
    let from = start;
    for (let end = from; this.#pending[from] === COLON; from = end + 1) {
      end = this.#pending.indexOf('\n', from);
      if (end === -1) return from;
      this.#comments += 1;
    }
    return from;
  }

  #frame(block: string): void {
    const [, id, data] = /^id: (\d+)\n(?:event: .*\n)?data: (.*)$/.exec(block) ?? [];
    if (id === undefined || data === undefined) throw new Error(`No frame: ${block.slice(0, 200)}`);
    this.#onData?.(data);
    this.frames.push({ id: Number(id), digest: createHash('sha256').update(data).digest('base64') });
  }
}

/** In HTTP/1.0, so that the answer has no chunks and ends with the connection. */
function requestOf(taskId: string, after: number | undefined): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } });
  const head = ['POST /a2a HTTP/1.0', 'Content-Type: application/json', 'A2A-Version: 1.0'];
  if (after !== undefined) head.push(`Last-Event-ID: ${after}`);
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
