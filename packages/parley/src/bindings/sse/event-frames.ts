import { encodedAs } from '../../model/basics/shared-encoding.ts';
import { bareTextOf } from '../../model/parts.ts';
import type { Artifact, StreamEvent } from '../../model/task.ts';
import type { EventList, EventRecord, EventStream, StreamSnapshot } from '../event-stream.ts';
import type { ResponseStream } from '../exchange.ts';
import type { SseEncoding } from './encoding.ts';
import { TextChunkTemplate } from './text-chunks.ts';

const UTF_8 = new TextEncoder();

/**
 * Writes events as frames, one for each event that readers see: what is ready at once is one text. The id of a frame is the
 * event's place in the log.
 */
export class EventFrames implements ResponseStream {
  readonly #events: EventStream;
  readonly #encoding: SseEncoding;
  /** The text between the number of a frame and its event, and after the event. */
  readonly #before: string;
  readonly #after: string;
  /** Tells these frames from those of other readers. */
  readonly #form: string;
  /** Tells their payloads, without what is around them, from those of other readers. */
  readonly #payloadForm: unknown;
  #template: TextChunkTemplate | undefined;

  constructor(events: EventStream, encoding: SseEncoding) {
    this.#events = events;
    this.#encoding = encoding;
    this.#before = `\ndata: ${encoding.before}`;
    this.#after = `${encoding.after}\n\n`;
    const { name } = encoding.dialect;
    const { form } = events;
    this.#form = `sse ${form === undefined ? name : `${name} ${form}`} ${encoding.before}`;
    this.#payloadForm = form === undefined ? encoding.dialect : `${name} ${form}`;
  }

  read(): string | Uint8Array | undefined {
    for (;;) {
      const batch = this.#events.poll();
      if (!batch) return this.#events.isOver ? undefined : '';
      const { snapshot, events } = batch;
      const frames = !snapshot && this.#events.isShared ? this.#shared(events) : this.#own(snapshot, events);
      if (frames.length > 0) return frames;
    }
  }

  get isComplete(): boolean {
    return this.#events.isComplete;
  }

  whenReadable(callback: () => void): void {
    this.#events.whenReady(callback);
  }

  close(): void {
    this.#events.close();
  }

  #own(snapshot: StreamSnapshot | undefined, events: EventList): string {
    const first = snapshot ? this.#first(snapshot) : '';
    return first + this.#joined(events, this.#payload);
  }

  #first({ task, seq }: StreamSnapshot): string {
    const split = this.#encoding.dialect.quirks?.snapshotEvents;
    if (!split) return this.#frame(this.#written({ kind: 'task', task }), seq);
    const frames = split(task).map((event) => this.#written(event));
    // A reader that comes back in the midst of them must get them all again: only the last one has an id.
    const before = frames.slice(0, -1).map((payload) => `${this.#before.slice(1)}${payload}${this.#after}`);
    return before.join('') + this.#frame(frames.at(-1) ?? '', seq);
  }

  /** Readers that are equally far and want the same frames share their bytes. */
  #shared(events: EventList): Uint8Array {
    return encodedAs(events, this.#form, () => UTF_8.encode(this.#joined(events, this.#sharedPayload)));
  }

  #joined({ records }: EventList, payloadOf: (record: EventRecord) => string): string {
    let text = '';
    for (const record of records) {
      const { kind, seq } = record.event;
      const error = kind === 'status' ? this.#error(record) : undefined;
      if (error !== undefined) {
        text += `id: ${seq}\ndata: ${error}\n\n`;
        continue;
      }
      const payload = payloadOf(record);
      if (payload !== '') text += this.#frame(payload, seq);
    }
    return text;
  }

  /** The error that the dialect has for an event, as SSE data. */
  #error(record: EventRecord): string | undefined {
    const { dialect, error: write } = this.#encoding;
    if (!dialect.quirks?.eventError || !write) return undefined;
    const event = this.#events.eventOf(record);
    const error = event && dialect.quirks.eventError(event);
    return error && write(error);
  }

  #frame(payload: string, seq: number): string {
    return `id: ${seq}${this.#before}${payload}${this.#after}`;
  }

  /** Readers of other requests share at least the dialect's text of an event. */
  readonly #sharedPayload = (record: EventRecord): string =>
    encodedAs(record, this.#payloadForm, () => this.#payload(record));

  readonly #payload = (record: EventRecord): string => {
    const chunk = this.#events.textChunkOf(record);
    return (chunk && this.#templated(chunk, record)) ?? this.#encoded(record);
  };

  #templated({ artifactId, parts }: Artifact, record: EventRecord): string | undefined {
    const text = bareTextOf(parts);
    if (text === undefined) return undefined;
    if (this.#template?.artifactId !== artifactId) {
      this.#template = new TextChunkTemplate(artifactId, (artifact) => this.#encoded(record, artifact));
    }
    return this.#template.write(text);
  }

  /** `artifact`: replaces the event's own. */
  #encoded(record: EventRecord, artifact?: Artifact): string {
    const event = this.#events.eventOf(record);
    if (!event) return '';
    return this.#written(artifact && event.kind === 'artifact' ? { ...event, artifact } : event);
  }

  #written(event: StreamEvent): string {
    return JSON.stringify(this.#encoding.dialect.encodeEvent(event));
  }
}
