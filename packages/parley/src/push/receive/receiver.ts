import { sha256, toBase64Url } from '../../model/basics/bytes.ts';
import { ID_HEADER } from '../signature/headers.ts';
import { type PushNotification, readNotification } from '../verify/notification.ts';
import { DEFAULT_BODY_BYTES } from '../verify/options.ts';
import { isPushError, PushError } from '../verify/push-error.ts';
import { type BytesSeen, headerOf, type ReceivedHeaders } from '../verify/received-request.ts';
import { type Prover, proverOf } from '../verify/verify.ts';
import { AgreedCredentials } from './credentials.ts';
import { HeldBytes } from './held-bytes.ts';
import type { PushReceiverOptions } from './options.ts';
import { type PushStore, RecentPushes } from './recent-pushes.ts';
import { TaskLines } from './task-lines.ts';

/** A request in whichever framework; the body is read only where all that can be seen without it is right. */
export interface Delivery {
  readonly method: string;
  readonly headers: ReceivedHeaders;
  readBody(most: number, seen: BytesSeen): Promise<Uint8Array>;
}

/** The response to send. A body has the error as `application/problem+json` (RFC 9457). */
export interface Receipt {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response to what was taken. */
export const RECEIVED: Receipt = { status: 204, headers: {}, body: '' };
const MEDIA_TYPE = /^application\/(?:[\w.-]+\+)?json(?:[ \t]*;|$)/i;

/** Takes the requests of senders: verified, once, and of each task in order. */
export class Receiver {
  readonly #options: PushReceiverOptions;
  readonly #prover: Prover | undefined;
  readonly #credentials: AgreedCredentials;
  readonly #isExpected: (taskId: string) => boolean | Promise<boolean>;
  readonly #store: PushStore;
  readonly #lines = new TaskLines();
  readonly #held: HeldBytes;

  /** Throws a TypeError for options that are wrong. */
  constructor(options: PushReceiverOptions, held: HeldBytes = new HeldBytes()) {
    this.#options = options;
    this.#prover = proverOf(options);
    this.#credentials = new AgreedCredentials(options);
    if (!this.#prover && !this.#credentials.areGiven) {
      throw new TypeError('pushReceiver needs one of secret, publicKey, jwksUrl, token, authorization');
    }
    if (typeof options.onEvent !== 'function') throw new TypeError('pushReceiver needs onEvent, a function');
    this.#isExpected = expectedTasks(options.tasks);
    this.#store = options.store ?? new RecentPushes();
    this.#held = held;
  }

  async receive(delivery: Delivery): Promise<Receipt> {
    let notification: PushNotification | undefined;
    const body = this.#held.begin();
    try {
      const received = await this.#read(delivery, body.seen);
      notification = received;
      await this.#lines.run(received.taskId, () => this.#handleOnce(received));
      return RECEIVED;
    } catch (error) {
      const { onError = logError, onRefused } = this.#options;
      if (isPushError(error)) {
        tell(() => onRefused?.(error));
        return receiptOf(error);
      }
      tell(() => onError(error, notification));
      return problem(500, 'INTERNAL', 'The notification could not be handled; send it again later');
    } finally {
      body.release();
    }
  }

  async #read(delivery: Delivery, seen: BytesSeen): Promise<PushNotification> {
    const { method, headers } = delivery;
    if (method !== 'POST') throw new PushError('WRONG_METHOD', 'Notifications are sent with POST');
    const type = headerOf(headers, 'content-type');
    if (type !== undefined && !MEDIA_TYPE.test(type)) {
      throw new PushError('UNSUPPORTED_TYPE', 'The body must be application/a2a+json or application/json');
    }
    await this.#credentials.check(headers);
    this.#prover?.check(headers);
    const body = await delivery.readBody(this.#options.bodyBytes ?? DEFAULT_BODY_BYTES, seen);
    const proved = await this.#prover?.verify(headers, body);
    const notification = readNotification(headers, body, proved ?? (await this.#unsigned(headers, body)));
    if (await this.#isExpected(notification.taskId)) return notification;
    throw new PushError('UNEXPECTED_TASK', 'Nobody here expects this task');
  }

  /** Senders that sign nothing often have no ids either. */
  async #unsigned(headers: ReceivedHeaders, body: Uint8Array): Promise<Pick<PushNotification, 'id' | 'timestamp'>> {
    const { now = Date.now } = this.#options;
    const id = headerOf(headers, ID_HEADER) ?? `sha256:${toBase64Url(await sha256(body))}`;
    return { id, timestamp: Math.floor(now() / 1000) };
  }

  async #handleOnce(notification: PushNotification): Promise<void> {
    const { onEvent } = this.#options;
    const isKnowable = !isNamelessChunk(notification);
    if (isKnowable && (await this.#store.isHandled(notification))) return;
    await onEvent(notification.event, notification);
    if (isKnowable) await this.#store.remember(notification);
  }
}

/** A chunk without an id of its own: two that are alike may both be meant. */
function isNamelessChunk({ id, event }: PushNotification): boolean {
  return event.kind === 'artifact' && event.append && id.startsWith('sha256:');
}

function expectedTasks(tasks: PushReceiverOptions['tasks']): (taskId: string) => boolean | Promise<boolean> {
  if (tasks === undefined) return () => true;
  if (typeof tasks === 'function') return tasks;
  // A set of the caller's may grow; a list is read once.
  const known = tasks instanceof Set ? (tasks as ReadonlySet<string>) : new Set(tasks);
  return (taskId) => known.has(taskId);
}

/** The refusal as a response. */
export function receiptOf({ code, status, message }: PushError): Receipt {
  const { headers, ...rest } = problem(status, code, message);
  return { ...rest, headers: code === 'WRONG_METHOD' ? { ...headers, allow: 'POST' } : headers };
}

function problem(status: number, code: string, detail: string): Receipt {
  const body = JSON.stringify({ status, title: detail, code });
  return { status, headers: { 'content-type': 'application/problem+json' }, body };
}

/** A listener that throws must not leave the sender without a response. */
function tell(listener: () => void): void {
  try {
    // An async function fits the type as well; nothing waits for it.
    const told: unknown = listener();
    if (told instanceof Promise) told.catch(logError);
  } catch (error) {
    logError(error);
  }
}

function logError(error: unknown): void {
  console.error('A webhook notification could not be handled', error);
}
