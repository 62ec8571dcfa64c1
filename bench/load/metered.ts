import { Connection } from './connection.ts';
import { sendStreaming } from './requests.ts';

/** A stream whose chunks say when they were written: the delay of each, and the moment when all of them are there. */
export class MeteredStream {
  readonly connection: Connection;
  readonly delays: number[] = [];
  /** When each chunk came, by the time at which it was written. */
  readonly arrivals = new Map<number, number>();
  taskId = '';
  ended: Promise<void> = Promise.resolve();
  readonly #chunks: number;
  readonly #all = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();
  #rest = '';

  private constructor(connection: Connection, chunks: number) {
    this.connection = connection;
    this.#chunks = chunks;
  }

  /** Resolves when the task has written its first chunk and waits at its gate. */
  static async open(port: number, chunks: number): Promise<MeteredStream> {
    const stream = new MeteredStream(await Connection.open(port), chunks);
    stream.ended = stream.connection.request(sendStreaming({ chunks, pace: 'metered' }), (bytes) =>
      stream.#read(bytes),
    );
    stream.ended.catch((error: unknown) => stream.#begun.reject(error));
    await stream.#begun.promise;
    return stream;
  }

  /** Reads the stream of a task that somebody else began, from its next chunk on. */
  static async read(port: number, body: string, chunks: number): Promise<MeteredStream> {
    const stream = new MeteredStream(await Connection.open(port), chunks);
    const subscribed = Promise.withResolvers<void>();
    stream.ended = stream.connection.request(body, (bytes) => {
      stream.#read(bytes);
      subscribed.resolve();
    });
    stream.ended.catch((error: unknown) => subscribed.reject(error));
    await subscribed.promise;
    return stream;
  }

  /** Resolves when every chunk is there; the stream itself goes on until the next gate. */
  get whenAll(): Promise<void> {
    return this.#all.promise;
  }

  #read(bytes: Buffer): void {
    const now = microseconds();
    const text = this.#rest + bytes.toString('latin1');
    const end = text.lastIndexOf('\n\n') + 2;
    this.#rest = text.slice(end);
    const frames = text.slice(0, end);
    this.taskId ||= /"task":\{"id":"([^"]+)"/.exec(frames)?.[1] ?? '';
    for (const [, written] of frames.matchAll(/"artifactUpdate".*?"text":"\.*(\d+)"/g)) {
      this.delays.push((now - Number(written)) / 1000);
      this.arrivals.set(Number(written), now);
    }
    if (this.delays.length > 0) this.#begun.resolve();
    if (this.delays.length >= this.#chunks) this.#all.resolve();
  }
}

/** A clock that all processes of this machine share. */
export function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
