import type { ResponseStream } from '../bindings/exchange.ts';
import type { EventEncoding } from '../bindings/service.ts';
import {
  type ArtifactEvent,
  encodedAs,
  keepEncoded,
  type LogBatch,
  type LogRecord,
  type TaskEvent,
} from '../engine/events.ts';
import type { Snapshot, Subscription } from '../engine/subscribe.ts';
import type { StreamEvent } from '../model/task.ts';
import { TextChunkTemplate, textPieceOf } from './text-chunks.ts';

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
  #template: TextChunkTemplate | undefined;

  constructor(subscription: Subscription, encoding: EventEncoding) {
    this.#subscription = subscription;
    this.#encoding = encoding;
    this.#before = `\ndata: ${encoding.before}`;
    this.#after = `${encoding.after}\n\n`;
  }

  read(): string | undefined {
    for (;;) {
      const batch = this.#subscription.poll();
      if (!batch) return this.#subscription.isOver ? undefined : '';
      const text = this.#snapshot(batch.snapshot) + this.#events(batch.events);
      if (text !== '') return text;
    }
  }

  whenReadable(callback: () => void): void {
    this.#subscription.whenReady(callback);
  }

  close(): void {
    this.#subscription.close();
  }

  #snapshot(snapshot: Snapshot | undefined): string {
    if (!snapshot) return '';
    return this.#frame(this.#text({ kind: 'task', task: snapshot.task }), snapshot.seq);
  }

  /** Readers that are equally far and want the same frames share them. */
  #events(batch: LogBatch): string {
    if (!this.#subscription.isShared) return this.#joined(batch, this.#payload);
    const form = this.#encoding.dialect.name + this.#before;
    let text = encodedAs(batch, form);
    if (text === undefined) {
      text = this.#joined(batch, this.#sharedPayload);
      keepEncoded(batch, form, text);
    }
    return text;
  }

  #joined({ records }: LogBatch, payloadOf: (record: LogRecord) => string): string {
    let text = '';
    for (const record of records) {
      const payload = payloadOf(record);
      if (payload !== '') text += this.#frame(payload, record.event.seq);
    }
    return text;
  }

  #frame(payload: string, seq: number): string {
    return `id: ${seq}${this.#before}${payload}${this.#after}`;
  }

  /** Readers of other requests share at least what the dialect makes of an event. */
  readonly #sharedPayload = (record: LogRecord): string => {
    const { dialect } = this.#encoding;
    let payload = encodedAs(record, dialect);
    if (payload === undefined) {
      payload = this.#payload(record);
      keepEncoded(record, dialect, payload);
    }
    return payload;
  };

  readonly #payload = ({ event }: LogRecord): string => {
    const piece = event.kind === 'artifact' ? this.#piece(event) : undefined;
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
    switch (event.kind) {
      case 'status': {
        const { status, metadata } = event;
        return this.#text({ kind: 'status', taskId, contextId, status, metadata });
      }
      case 'artifact': {
        const { artifact, append, lastChunk, metadata } = event;
        return this.#text({ kind: 'artifact', taskId, contextId, artifact, append, lastChunk, metadata });
      }
      case 'created':
      case 'message':
        return '';
    }
  }

  #text(event: StreamEvent): string {
    return JSON.stringify(this.#encoding.dialect.encodeEvent(event));
  }
}
