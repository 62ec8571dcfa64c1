import type { StreamEncoder, StreamFrame } from '../../dialects/dialect.ts';
import type { StreamEvent } from '../../model/task.ts';
import {
  type EventBatch,
  type EventRecord,
  type EventStream,
  FROM_THE_START,
  type Position,
  type StreamSnapshot,
} from '../event-stream.ts';
import type { ResponseStream } from '../exchange.ts';
import type { SseEncoding } from './encoding.ts';

/**
 * Writes events in a dialect whose frames have names or depend on those before. Nothing is shared with other readers.
 *
 * Every frame of an event has a position of its own. A snapshot that takes several frames is one thing: only the last of
 * them has a position, so that a reader that loses its connection among them gets all of them again.
 */
export class EncoderFrames implements ResponseStream {
  readonly #events: EventStream;
  readonly #encoding: SseEncoding;
  readonly #encoder: StreamEncoder;
  #after: Position;

  constructor(events: EventStream, encoding: SseEncoding, encoder: StreamEncoder) {
    this.#events = events;
    this.#encoding = encoding;
    this.#encoder = encoder;
    this.#after = events.after ?? FROM_THE_START;
  }

  read(): string | undefined {
    for (;;) {
      const batch = this.#events.poll();
      if (!batch) return this.#events.isOver ? undefined : '';
      const text = this.#encoder.joins ? this.#joined(batch) : this.#single(batch);
      if (text !== '') return text;
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

  #joined({ snapshot, events }: EventBatch): string {
    const shown: StreamEvent[] = snapshot ? [{ kind: 'task', task: snapshot.task }] : [];
    for (const record of events.records) {
      const event = this.#events.eventOf(record);
      if (event) shown.push(event);
    }
    return this.#encoder
      .encode(shown)
      .map((frame) => this.#text(frame))
      .join('');
  }

  #single({ snapshot, events }: EventBatch): string {
    let text = snapshot ? this.#first(snapshot) : '';
    for (const record of events.records) text += this.#framesOf(record);
    return text;
  }

  #first({ task, seq }: StreamSnapshot): string {
    // The position that was asked for could not be honoured.
    this.#after = FROM_THE_START;
    const frames = this.#encoder.encode([{ kind: 'task', task }]);
    const last = frames.length - 1;
    const position = String(seq);
    return frames.map((frame, index) => this.#text(frame, index === last ? position : undefined)).join('');
  }

  #framesOf(record: EventRecord): string {
    const event = this.#events.eventOf(record);
    if (!event) return '';
    const frames = this.#encoder.encode([event]);
    const { seq } = record.event;
    if (seq <= this.#after.seq) return '';
    const known = seq === this.#after.seq + 1 ? this.#after.frames : 0;
    let text = '';
    // A position within an event that has no such frame says nothing: the event comes whole.
    for (let index = known < frames.length ? known : 0; index < frames.length; index += 1) {
      const frame = frames[index];
      if (frame) text += this.#text(frame, positionText(seq, index, frames.length));
    }
    return text;
  }

  #text(frame: StreamFrame, position?: string): string {
    const id = position === undefined ? '' : `id: ${position}\n`;
    const name = frame.event === undefined ? '' : `event: ${frame.event}\n`;
    return `${id}${name}data: ${this.#data(frame)}\n\n`;
  }

  #data(frame: StreamFrame): string {
    const { before, after, error } = this.#encoding;
    if ('result' in frame) return `${before}${JSON.stringify(frame.result)}${after}`;
    return error ? error(frame.error) : JSON.stringify({ error: frame.error });
  }
}

/**
 * The id of a frame: the event's seq where the event ends with it; before that, the seq before the event and how many of
 * its frames have been sent (`4.1`, `4.2`, `5`).
 */
function positionText(seq: number, index: number, count: number): string {
  return index === count - 1 ? String(seq) : `${seq - 1}.${index + 1}`;
}
