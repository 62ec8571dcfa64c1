import type { ResponseStream } from '../bindings/exchange.ts';
import type { EventEncoding } from '../bindings/service.ts';
import type { StreamEvent, Task } from '../model/task.ts';
import type { FakeTask } from './fake-task.ts';

/** A fake task as one connection sees it. */
export class FakeFrames implements ResponseStream {
  readonly #task: FakeTask;
  readonly #encoding: EventEncoding;
  readonly #isSubscription: boolean;
  #position: number;
  /** What comes first: the task as it is. */
  #snapshot: Task | undefined;
  #isClosed = false;

  /** @param from the place in the task's list of frames */
  constructor(task: FakeTask, encoding: EventEncoding, from: number, isSubscription: boolean, snapshot?: Task) {
    this.#snapshot = snapshot;
    this.#task = task;
    this.#encoding = encoding;
    this.#position = from;
    this.#isSubscription = isSubscription;
  }

  read(): string | undefined {
    if (this.#isClosed) return undefined;
    const snapshot = this.#snapshot;
    if (snapshot) {
      this.#snapshot = undefined;
      return this.#frame(this.#position, { kind: 'task', task: snapshot });
    }
    const frame = this.#task.frames[this.#position];
    if (!frame) return this.#isAtEnd() ? undefined : '';
    this.#position += 1;
    if ('close' in frame) return undefined;
    if ('error' in frame) throw frame.error;
    return this.#frame(frame.seq, frame.event);
  }

  whenReadable(callback: () => void): void {
    if (this.#isClosed || this.#position < this.#task.frames.length || this.#isAtEnd()) callback();
    else this.#task.whenMore(callback);
  }

  close(): void {
    this.#isClosed = true;
  }

  #frame(seq: number, event: StreamEvent): string {
    const { dialect, before, after } = this.#encoding;
    return `id: ${seq}\ndata: ${before}${JSON.stringify(dialect.encodeEvent(event))}${after}\n\n`;
  }

  #isAtEnd(): boolean {
    return this.#isSubscription ? this.#task.isOver : !this.#task.isPlaying;
  }
}
