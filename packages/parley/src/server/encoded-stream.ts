import type { ResponseStream } from '../bindings/exchange.ts';
import type { EventEncoding } from '../bindings/service.ts';
import type { StreamEncoder, StreamFrame } from '../dialects/dialect.ts';
import type { Batch, Subscription } from '../engine/subscribe.ts';
import type { StreamEvent } from '../model/task.ts';
import { streamEventOf } from './stream-events.ts';
import type { AgentTransform } from './transforms.ts';

/**
 * A subscription in a dialect whose frames have names or depend on those before. What is ready at once is encoded at
 * once, and only the last frame of it has an id; nothing is shared with other readers.
 */
export class EncodedStream implements ResponseStream {
  readonly #subscription: Subscription;
  readonly #encoding: EventEncoding;
  readonly #encoder: StreamEncoder;
  readonly #transform: AgentTransform | undefined;

  constructor(
    subscription: Subscription,
    encoding: EventEncoding,
    encoder: StreamEncoder,
    transform: AgentTransform | undefined,
  ) {
    this.#subscription = subscription;
    this.#encoding = encoding;
    this.#encoder = encoder;
    this.#transform = transform;
  }

  read(): string | undefined {
    for (;;) {
      const batch = this.#subscription.poll();
      if (!batch) return this.#subscription.isOver ? undefined : '';
      const frames = this.#encoder.encode(this.#events(batch));
      if (frames.length > 0)
        return frames.map((frame, index) => this.#text(frame, index === frames.length - 1)).join('');
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

  #events({ snapshot, events }: Batch): readonly StreamEvent[] {
    const { taskId, contextId } = this.#subscription;
    const first: readonly StreamEvent[] = snapshot
      ? this.#shown({ kind: 'task', task: snapshot.task }, snapshot.seq)
      : [];
    const others = events.records.flatMap(({ event }) => {
      const streamed = streamEventOf(event, taskId, contextId);
      return streamed ? this.#shown(streamed, event.seq) : [];
    });
    return [...first, ...others];
  }

  #shown(event: StreamEvent, seq: number): readonly StreamEvent[] {
    if (!this.#transform) return [event];
    const { taskId, contextId } = this.#subscription;
    const sent = this.#transform(event, { taskId, contextId, seq });
    return sent ? [sent] : [];
  }

  #text(frame: StreamFrame, isLast: boolean): string {
    const id = isLast && !this.#encoder.withoutIds ? `id: ${this.#subscription.position}\n` : '';
    const name = frame.event === undefined ? '' : `event: ${frame.event}\n`;
    return `${id}${name}data: ${this.#data(frame)}\n\n`;
  }

  #data(frame: StreamFrame): string {
    const { before, after, error } = this.#encoding;
    if ('result' in frame) return `${before}${JSON.stringify(frame.result)}${after}`;
    return error ? error(frame.error) : JSON.stringify({ error: frame.error });
  }
}
