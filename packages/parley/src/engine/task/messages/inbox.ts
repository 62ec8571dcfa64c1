import type { Message } from '../../../model/task.ts';
import type { TurnRequest } from '../../turn/runner.ts';

/** A message of the log that no run has taken yet. */
export interface QueuedMessage {
  readonly seq: number;
  readonly message: Message;
  /** The request that brought the message. */
  readonly request: TurnRequest;
  /** The content is a secret, which the log does not have. */
  readonly isSecret?: boolean | undefined;
  /** The secret, encrypted, for the node that takes it. */
  readonly sealed?: string | undefined;
}

/** The messages that wait for the agent, oldest first, and how far the agent has read. */
export class Inbox {
  /** The seq of the last message that the agent has taken. The next status says so. */
  consumed: number;
  #queue: QueuedMessage[] = [];

  constructor(consumed: number) {
    this.consumed = consumed;
  }

  get size(): number {
    return this.#queue.length;
  }

  /** Those that wait, oldest first. */
  get waiting(): readonly QueuedMessage[] {
    return this.#queue;
  }

  get seqs(): readonly number[] {
    return this.#queue.map(({ seq }) => seq);
  }

  add(message: QueuedMessage): void {
    this.#queue.push(message);
  }

  /** Puts messages before all others that wait: an earlier run of the turn left them unread. */
  putFirst(messages: readonly QueuedMessage[]): void {
    if (messages.length > 0) this.#queue = [...messages, ...this.#queue];
  }

  /** Takes the oldest message whose seq is greater than `after` and that is wanted. */
  takeNext(after = 0, isWanted: (message: QueuedMessage) => boolean = () => true): QueuedMessage | undefined {
    const index = this.#queue.findIndex((message) => message.seq > after && isWanted(message));
    const [message] = index < 0 ? [] : this.#queue.splice(index, 1);
    if (message) this.consumed = Math.max(this.consumed, message.seq);
    return message;
  }

  /** Takes the oldest messages, at most so many. */
  take(most: number): readonly QueuedMessage[] {
    const taken = this.#queue.splice(0, most);
    this.consumed = taken.at(-1)?.seq ?? this.consumed;
    return taken;
  }
}
