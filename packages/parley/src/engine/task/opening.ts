import type { Message } from '../../model/task.ts';
import type { Committer } from '../log/committer.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { KeyRecord } from '../ports.ts';
import type { MessageDraft, TurnRequest } from '../turn/runner.ts';
import { agentMessage, storeReply } from './messages.ts';

/** An idempotency key that waits to be written with what it leads to. */
export type KeyDraft = Omit<KeyRecord, 'taskId' | 'messageSeq' | 'reply'>;

export interface OpeningOptions {
  readonly message: Message;
  readonly request: TurnRequest;
  readonly key: KeyDraft | undefined;
  /** Prevents that the task is made because the time for a bare reply is over. */
  readonly stopWindow: () => void;
}

/** A first message before it is known whether a task comes of it. */
export class Opening {
  readonly message: Message;
  readonly request: TurnRequest;
  readonly #key: KeyDraft | undefined;
  readonly #stopWindow: () => void;
  readonly #started: PromiseWithResolvers<Message | undefined> = Promise.withResolvers();

  constructor({ message, request, key, stopWindow }: OpeningOptions) {
    this.message = message;
    this.request = request;
    this.#key = key;
    this.#stopWindow = stopWindow;
  }

  /** Resolves with a bare reply, or with undefined once the task is committed. */
  get started(): Promise<Message | undefined> {
    return this.#started.promise;
  }

  /** Appends the task's beginning; gives the seq of the message. */
  append(log: TaskLog, now: number): number {
    this.#stopWindow();
    log.appendCreated(now);
    const messageSeq = log.appendMessage(now, this.message);
    if (this.#key) log.bindKey({ ...this.#key, taskId: log.identity.id, messageSeq });
    return messageSeq;
  }

  /** The task is there as soon as its beginning is committed. */
  opened(committed: Promise<void>): void {
    committed.then(() => this.#started.resolve(undefined), this.#started.reject);
  }

  /** There is an answer and no task; under a key it is kept. */
  replied(messageId: string, draft: MessageDraft, contextId: string, committer: Committer): void {
    this.#stopWindow();
    const message = agentMessage(messageId, draft, { contextId });
    const stored = this.#key && storeReply(committer, { ...this.#key, reply: message });
    Promise.resolve(stored).then(() => this.#started.resolve(message), this.#started.reject);
  }
}
