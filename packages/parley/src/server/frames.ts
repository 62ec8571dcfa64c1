import type { EventEncoding } from '../bindings/service.ts';
import { encodedAs, type TaskEvent } from '../engine/events.ts';
import type { Batch, Subscription } from '../engine/subscribe.ts';

const DONE: IteratorResult<string, undefined> = { done: true, value: undefined };

/**
 * A subscription as frames of a dialect and a binding: each string is all that is ready. Events that have no frame of
 * their own (`created` and the caller's messages) are passed over, so ids may have gaps.
 */
export class FrameStream implements AsyncIterableIterator<string, undefined> {
  readonly #subscription: Subscription;
  readonly #encoding: EventEncoding;

  constructor(subscription: Subscription, encoding: EventEncoding) {
    this.#subscription = subscription;
    this.#encoding = encoding;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    for (;;) {
      const step = await this.#subscription.next();
      if (step.done) return DONE;
      const value = this.#framed(step.value);
      if (value !== '') return { done: false, value };
    }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.#subscription.return();
    return DONE;
  }

  #framed({ snapshot, records }: Batch): string {
    const { dialect, frame } = this.#encoding;
    let text = '';
    if (snapshot) {
      text = frame(JSON.stringify(dialect.encodeEvent({ kind: 'task', task: snapshot.task })), snapshot.seq);
    }
    for (const record of records) {
      const payload = encodedAs(record, dialect, this.#encode);
      if (payload !== '') text += frame(payload, record.event.seq);
    }
    return text;
  }

  readonly #encode = (event: TaskEvent): string => {
    const { taskId, contextId } = this.#subscription;
    const { dialect } = this.#encoding;
    switch (event.kind) {
      case 'status': {
        const { status, metadata } = event;
        return JSON.stringify(dialect.encodeEvent({ kind: 'status', taskId, contextId, status, metadata }));
      }
      case 'artifact': {
        const { artifact, append, lastChunk, metadata } = event;
        const update = { kind: 'artifact', taskId, contextId, artifact, append, lastChunk, metadata } as const;
        return JSON.stringify(dialect.encodeEvent(update));
      }
      case 'created':
      case 'message':
        return '';
    }
  };
}
