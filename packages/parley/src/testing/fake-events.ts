import type { EventBatch, EventRecord, EventStream } from '../bindings/event-stream.ts';
import type { StreamEvent, Task } from '../model/task.ts';
import type { FakeTask } from './fake-task.ts';

interface FakeRecord extends EventRecord {
  readonly shown: StreamEvent;
}

/** The events of a fake task as one connection sees them, one at a time. */
export class FakeEvents implements EventStream {
  readonly after = undefined;
  readonly isShared = false;
  /** A script that closes a connection ends its stream as a server does that has nothing more to say. */
  readonly isComplete = true;
  readonly #task: FakeTask;
  readonly #isSubscription: boolean;
  #position: number;
  /** The task as it is, which comes first. */
  #snapshot: Task | undefined;
  #isClosed = false;

  /** @param from the place in the task's list of frames */
  constructor(task: FakeTask, from: number, isSubscription: boolean, snapshot?: Task) {
    this.#snapshot = snapshot;
    this.#task = task;
    this.#position = from;
    this.#isSubscription = isSubscription;
  }

  get isOver(): boolean {
    return this.#isClosed;
  }

  poll(): EventBatch | undefined {
    if (this.#isClosed) return undefined;
    const task = this.#snapshot;
    if (task) {
      this.#snapshot = undefined;
      return { snapshot: { task, seq: this.#position }, events: { records: [] } };
    }
    const frame = this.#task.frames[this.#position];
    if (!frame) {
      this.#isClosed = this.#isAtEnd();
      return undefined;
    }
    this.#position += 1;
    if ('error' in frame) throw frame.error;
    if ('close' in frame) {
      this.#isClosed = true;
      return undefined;
    }
    const { event: shown, seq } = frame;
    const record: FakeRecord = { event: { kind: shown.kind, seq }, shown };
    return { snapshot: undefined, events: { records: [record] } };
  }

  whenReady(callback: () => void): void {
    if (this.#isClosed || this.#position < this.#task.frames.length || this.#isAtEnd()) callback();
    else this.#task.whenMore(callback);
  }

  close(): void {
    this.#isClosed = true;
  }

  eventOf(record: FakeRecord): StreamEvent {
    return record.shown;
  }

  textChunkOf(): undefined {
    return undefined;
  }

  #isAtEnd(): boolean {
    return this.#isSubscription ? this.#task.isOver : !this.#task.isPlaying;
  }
}
