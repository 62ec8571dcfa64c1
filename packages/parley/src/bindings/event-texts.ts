import { encodedAs } from '../model/basics/shared-encoding.ts';
import type { StreamEvent } from '../model/task.ts';
import type { EventList, EventStream } from './event-stream.ts';
import type { ResponseStream } from './exchange.ts';

export interface EventTextsOptions {
  /**
   * Tells these texts from other forms of the same events, e.g. by the name of the binding and its dialect. Readers of
   * the same form share their bytes, so `write` may depend only on its arguments.
   */
  readonly form: string;
  /** Writes one event; `seq` is the position after which a reader can resume. */
  readonly write: (event: StreamEvent, seq: number) => string;
}

const UTF_8 = new TextEncoder();

/** Writes the events of a stream one after the other, for bindings whose frames do not depend on each other. */
export class EventTexts implements ResponseStream {
  readonly #events: EventStream;
  readonly #options: EventTextsOptions;

  constructor(events: EventStream, options: EventTextsOptions) {
    this.#events = events;
    this.#options = options;
  }

  get isComplete(): boolean {
    return this.#events.isComplete;
  }

  read(): string | Uint8Array | undefined {
    for (;;) {
      const batch = this.#events.poll();
      if (!batch) return this.#events.isOver ? undefined : '';
      const { snapshot, events } = batch;
      if (snapshot) {
        return this.#options.write({ kind: 'task', task: snapshot.task }, snapshot.seq) + this.#joined(events);
      }
      const text = this.#events.isShared ? this.#shared(events) : this.#joined(events);
      if (text.length > 0) return text;
    }
  }

  whenReadable(callback: () => void): void {
    this.#events.whenReady(callback);
  }

  close(): void {
    this.#events.close();
  }

  #shared(events: EventList): Uint8Array {
    const { form } = this.#options;
    const shown = this.#events.form;
    return encodedAs(events, shown === undefined ? form : `${form} ${shown}`, () => UTF_8.encode(this.#joined(events)));
  }

  #joined({ records }: EventList): string {
    let text = '';
    for (const record of records) {
      const event = this.#events.eventOf(record);
      if (event) text += this.#options.write(event, record.event.seq);
    }
    return text;
  }
}
