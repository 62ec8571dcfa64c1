import type { ServerContext } from '@modelcontextprotocol/server';
import { textOf } from '../../../../model/parts.ts';
import type { StreamEvent } from '../../../../model/task.ts';
import { PROGRESS_INTERVAL, PROGRESS_LENGTH, PROGRESS_SILENCE } from '../limits.ts';

/** An event of a stream, with the text that it adds. */
export type TextEvent = StreamEvent & { readonly text: string };

/**
 * Notifications sent per request, by its signal: after an answered question another call goes on with the same count.
 */
const told = new WeakMap<AbortSignal, number>();

/**
 * Tells a client how a call goes on: statuses and the text that comes, in at most four notifications a second. While the
 * agent is silent the last one is repeated, so that clients with a timeout wait on.
 */
export class Progress {
  readonly #request: ServerContext['mcpReq'];
  readonly #token: string | number;
  #pending = '';
  #last = '';
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: ServerContext['mcpReq'], token: string | number) {
    this.#request = request;
    this.#token = token;
    this.#wait(PROGRESS_SILENCE);
  }

  note(event: TextEvent): void {
    const status = event.kind === 'status' && event.status.message ? textOf(event.status.message) : '';
    const piece = status === '' ? event.text : `${this.#pending === '' ? '' : '\n'}${status}\n`;
    if (piece === '') return;
    this.#pending = `${this.#pending}${piece}`.slice(-PROGRESS_LENGTH);
    const left = this.#sentAt + PROGRESS_INTERVAL - Date.now();
    if (left <= 0) this.#send();
    else this.#wait(left);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), milliseconds);
  }

  #send(): void {
    const message = this.#pending.trim() || this.#last;
    this.#last = message;
    this.#pending = '';
    this.#sentAt = Date.now();
    const { signal, notify } = this.#request;
    const count = (told.get(signal) ?? 0) + 1;
    told.set(signal, count);
    const params = { progressToken: this.#token, progress: count, ...(message !== '' && { message }) };
    // A client that has left needs no progress.
    notify({ method: 'notifications/progress', params }).catch(() => {});
    this.#wait(PROGRESS_SILENCE);
  }
}

/** Undefined where the client did not ask for progress: then nothing is done for it. */
export function progressOf({ mcpReq }: ServerContext): Progress | undefined {
  const token = mcpReq._meta?.progressToken;
  return token === undefined ? undefined : new Progress(mcpReq, token);
}
