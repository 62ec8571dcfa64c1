import { keyConflict } from '../../model/errors/errors.ts';
import type { Message } from '../../model/task.ts';
import type { Committer } from '../log/committer.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { KeyRecord, PushConfigDraft } from '../ports.ts';
import type { MessageDraft, TurnRequest } from '../turn/runner.ts';
import { agentMessage, storeReply } from './messages/messages.ts';

/** An idempotency key that is written together with its task or reply. */
export type KeyDraft = Omit<KeyRecord, 'taskId' | 'messageSeq' | 'reply'>;

/** In the place of the digest of a send that brought a secret, which could be guessed from it: any send joins it. */
export const SECRET_DIGEST = 'secret';

export interface OpeningOptions {
  readonly message: Message;
  readonly request: TurnRequest;
  readonly key: KeyDraft | undefined;
  /** A webhook that came with the message. */
  readonly push: PushConfigDraft | undefined;
  /** Stops the reply window, so that it no longer turns the reply into a task. */
  readonly stopWindow: () => void;
  /** Makes the task of this opening, and leaves it in this state. */
  readonly open: (opening: Opening, state: 'submitted' | 'working') => void;
}

/** A first message before it is known whether a task comes of it. */
export class Opening {
  readonly message: Message;
  readonly request: TurnRequest;
  readonly #key: KeyDraft | undefined;
  readonly #push: PushConfigDraft | undefined;
  readonly #stopWindow: () => void;
  readonly #open: OpeningOptions['open'];
  readonly #started: PromiseWithResolvers<Message | undefined> = Promise.withResolvers();

  constructor({ message, request, key, push, stopWindow, open }: OpeningOptions) {
    this.message = message;
    this.request = request;
    this.#key = key;
    this.#push = push;
    this.#stopWindow = stopWindow;
    this.#open = open;
  }

  /** Resolves with a bare reply, or with undefined once the task is committed. */
  get started(): Promise<Message | undefined> {
    return this.#started.promise;
  }

  open(state: 'submitted' | 'working'): void {
    this.#open(this, state);
  }

  /** Appends the task's beginning; returns the seq of the message. */
  append(log: TaskLog, now: number): number {
    this.#stopWindow();
    log.appendCreated(now);
    const messageSeq = log.appendMessage(now, this.message);
    if (this.#push) log.bindPush(this.#push, 0);
    if (this.#key) log.bindKey({ ...this.#key, taskId: log.identity.id, messageSeq });
    return messageSeq;
  }

  /** Resolves `started` as soon as the task's beginning is committed. */
  startWith(committed: Promise<void>): void {
    committed.then(() => this.#started.resolve(undefined), this.#started.reject);
  }

  /** Resolves `started` with a reply that makes no task; under a key the reply is stored first. */
  reply(messageId: string, draft: MessageDraft, contextId: string, committer: Committer): void {
    this.#stopWindow();
    const message = agentMessage(messageId, draft, { contextId });
    const stored = this.#key && committer.inTime(storeReply(committer, { ...this.#key, reply: message }));
    Promise.resolve(stored).then(() => this.#started.resolve(message), this.#started.reject);
  }
}

/** The seq of a message that came under the same key before and is not committed yet; undefined if there is none. */
export function pendingSeqOf({ pending }: TaskLog, key: KeyDraft | undefined): number | undefined {
  const earlier = key && pending.keyOf(key);
  if (earlier && earlier.digest !== SECRET_DIGEST && earlier.digest !== key.digest) throw keyConflict();
  return earlier?.messageSeq;
}
