import type { ResponseStream } from '../../bindings/exchange.ts';
import type { EventEncoding } from '../../bindings/service.ts';
import {
  type ArtifactEvent,
  encodedAs,
  type LogBatch,
  type LogRecord,
  type TaskEvent,
} from '../../engine/log/events.ts';
import type { Snapshot, Subscription } from '../../engine/read/subscription.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { AgentTransform } from '../operations/transforms.ts';
import { streamEventOf } from './stream-events.ts';
import { TextChunkTemplate, textPieceOf } from './text-chunks.ts';

const UTF_8 = new TextEncoder();

/**
 * A subscription as frames of a dialect and a binding: what is ready at once is one text. Events that have no frame of
 * their own (`created` and the caller's messages) are passed over, so ids may have gaps.
 */
export class FrameStream implements ResponseStream {
  readonly #subscription: Subscription;
  readonly #encoding: EventEncoding;
  /** What stands between the number of a frame and its event, and behind the event. */
  readonly #before: string;
  readonly #after: string;
  /** What tells these frames from those of other readers. */
  readonly #form: string;
  /** Changes what is sent; its own work for each event, which is shared like any other. */
  readonly #transform: AgentTransform | undefined;
  #template: TextChunkTemplate | undefined;

  constructor(subscription: Subscription, encoding: EventEncoding, transform?: AgentTransform) {
    this.#transform = transform;
    this.#subscription = subscription;
    this.#encoding = encoding;
    this.#before = `\ndata: ${encoding.before}`;
    this.#after = `${encoding.after}\n\n`;
    this.#form = `${encoding.dialect.name} ${encoding.before}`;
  }

  read(): string | Uint8Array | undefined {
    for (;;) {
      const batch = this.#subscription.poll();
      if (!batch) return this.#subscription.isOver ? undefined : '';
      const { snapshot, events } = batch;
      const frames = !snapshot && this.#subscription.isShared ? this.#shared(events) : this.#own(snapshot, events);
      if (frames.length > 0) return frames;
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

  #own(snapshot: Snapshot | undefined, events: LogBatch): string {
    const first = snapshot ? this.#first(snapshot) : '';
    return first + this.#joined(events, this.#payload);
  }

  #first({ task, seq }: Snapshot): string {
    const split = this.#encoding.dialect.own?.snapshotEvents;
    const shown = this.#shown({ kind: 'task', task }, seq);
    if (!split || shown?.kind !== 'task') return this.#frame(shown ? this.#written(shown) : '', seq);
    const frames = split(shown.task).map((event) => this.#written(event));
    // Whoever comes back in the midst of them must get them all again.
    const before = frames.slice(0, -1).map((payload) => `${this.#before.slice(1)}${payload}${this.#after}`);
    return before.join('') + this.#frame(frames.at(-1) ?? '', seq);
  }

  /** Readers that are equally far and want the same frames share their bytes. */
  #shared(events: LogBatch): Uint8Array {
    return encodedAs(events, this.#form, () => UTF_8.encode(this.#joined(events, this.#sharedPayload)));
  }

  #joined({ records }: LogBatch, payloadOf: (record: LogRecord) => string): string {
    let text = '';
    for (const record of records) {
      const error = record.event.kind === 'status' ? this.#error(record.event) : undefined;
      if (error !== undefined) {
        text += `id: ${record.event.seq}\ndata: ${error}\n\n`;
        continue;
      }
      const payload = payloadOf(record);
      if (payload !== '') text += this.#frame(payload, record.event.seq);
    }
    return text;
  }

  /** The error that the dialect has for an event, as SSE data. */
  #error(event: TaskEvent): string | undefined {
    const { dialect, error: written } = this.#encoding;
    if (!dialect.own?.eventError || !written) return undefined;
    const { taskId, contextId } = this.#subscription;
    const streamed = streamEventOf(event, taskId, contextId);
    const sent = streamed && this.#shown(streamed, event.seq);
    const error = sent && dialect.own.eventError(sent);
    return error && written(error);
  }

  #frame(payload: string, seq: number): string {
    return `id: ${seq}${this.#before}${payload}${this.#after}`;
  }

  /** Readers of other requests share at least what the dialect makes of an event. */
  readonly #sharedPayload = (record: LogRecord): string =>
    encodedAs(record, this.#encoding.dialect, () => this.#payload(record));

  readonly #payload = ({ event }: LogRecord): string => {
    const isTemplated = event.kind === 'artifact' && !this.#transform;
    const piece = isTemplated ? this.#piece(event) : undefined;
    return piece ?? this.#encode(event);
  };

  #piece(event: ArtifactEvent): string | undefined {
    const text = textPieceOf(event);
    if (text === undefined) return undefined;
    const { artifactId } = event.artifact;
    if (this.#template?.artifactId !== artifactId) {
      this.#template = new TextChunkTemplate(artifactId, (artifact) => this.#encode({ ...event, artifact }));
    }
    return this.#template.write(text);
  }

  #encode(event: TaskEvent): string {
    const { taskId, contextId } = this.#subscription;
    const streamed = streamEventOf(event, taskId, contextId);
    return streamed ? this.#text(streamed, event.seq) : '';
  }

  #text(event: StreamEvent, seq: number): string {
    const sent = this.#shown(event, seq);
    return sent ? this.#written(sent) : '';
  }

  #shown(event: StreamEvent, seq: number): StreamEvent | undefined {
    const { taskId, contextId } = this.#subscription;
    return this.#transform ? this.#transform(event, { taskId, contextId, seq }) : event;
  }

  #written(event: StreamEvent): string {
    return JSON.stringify(this.#encoding.dialect.encodeEvent(event));
  }
}
