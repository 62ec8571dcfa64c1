import type { ResponseStream } from '../../bindings/exchange.ts';
import type { EventEncoding } from '../../bindings/service.ts';
import type { StreamEncoder, StreamFrame } from '../../dialects/dialect.ts';
import type { LogRecord } from '../../engine/log/events.ts';
import type { Batch, Snapshot, Subscription } from '../../engine/read/subscription.ts';
import type { StreamEvent } from '../../model/task.ts';
import { FROM_THE_START, type Position, positionText } from '../operations/resume-position.ts';
import type { AgentTransform } from '../operations/transforms.ts';
import { streamEventOf } from './stream-events.ts';

export interface EncodedStreamOptions {
  readonly subscription: Subscription;
  readonly encoding: EventEncoding;
  readonly encoder: StreamEncoder;
  readonly transform: AgentTransform | undefined;
  /** The reader has everything up to here: what the subscription brings of it only reminds the encoder. */
  readonly after?: Position | undefined;
}

/**
 * A subscription in a dialect whose frames have names or depend on those before. Nothing is shared with other readers.
 *
 * Every frame of an event has a position of its own. A snapshot that takes several frames is one thing: only the last of
 * them has a position, so that a reader who lost the connection among them starts it again.
 */
export class EncodedStream implements ResponseStream {
  readonly #subscription: Subscription;
  readonly #encoding: EventEncoding;
  readonly #encoder: StreamEncoder;
  readonly #transform: AgentTransform | undefined;
  #after: Position;

  constructor({ subscription, encoding, encoder, transform, after = FROM_THE_START }: EncodedStreamOptions) {
    this.#subscription = subscription;
    this.#encoding = encoding;
    this.#encoder = encoder;
    this.#transform = transform;
    this.#after = after;
  }

  read(): string | undefined {
    for (;;) {
      const batch = this.#subscription.poll();
      if (!batch) return this.#subscription.isOver ? undefined : '';
      const text = this.#encoder.joins ? this.#joined(batch) : this.#single(batch);
      if (text !== '') return text;
    }
  }

  get isComplete(): boolean {
    return this.#subscription.isComplete;
  }

  whenReadable(callback: () => void): void {
    this.#subscription.whenReady(callback);
  }

  close(): void {
    this.#subscription.close();
  }

  #joined({ snapshot, events }: Batch): string {
    const first = snapshot ? this.#snapshotEvent(snapshot) : undefined;
    const others = events.records.map((record) => this.#eventOf(record));
    const shown = [first, ...others].filter((event) => event !== undefined);
    return this.#encoder
      .encode(shown)
      .map((frame) => this.#text(frame))
      .join('');
  }

  #single({ snapshot, events }: Batch): string {
    let text = snapshot ? this.#first(snapshot) : '';
    for (const record of events.records) text += this.#framesOf(record);
    return text;
  }

  #first(snapshot: Snapshot): string {
    // The position that was asked for could not be honoured.
    this.#after = FROM_THE_START;
    const event = this.#snapshotEvent(snapshot);
    const frames = event ? this.#encoder.encode([event]) : [];
    const last = frames.length - 1;
    const position = String(snapshot.seq);
    return frames.map((frame, index) => this.#text(frame, index === last ? position : undefined)).join('');
  }

  #framesOf(record: LogRecord): string {
    const event = this.#eventOf(record);
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

  #snapshotEvent({ task, seq }: Snapshot): StreamEvent | undefined {
    return this.#shown({ kind: 'task', task }, seq);
  }

  #eventOf({ event }: LogRecord): StreamEvent | undefined {
    const { taskId, contextId } = this.#subscription;
    const streamed = streamEventOf(event, taskId, contextId);
    return streamed && this.#shown(streamed, event.seq);
  }

  #shown(event: StreamEvent, seq: number): StreamEvent | undefined {
    const { taskId, contextId } = this.#subscription;
    return this.#transform ? this.#transform(event, { taskId, contextId, seq }) : event;
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
