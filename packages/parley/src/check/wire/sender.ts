import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Budget } from './budget.ts';
import type { Exchange, Outgoing } from './exchange.ts';
import { LiveStream } from './live-stream.ts';
import { headOf } from './response-head.ts';

/** How one request differs from the usual. */
export interface Manner {
  /** The request is wrong on purpose. */
  readonly odd?: boolean | undefined;
  /** Waits so long for the response; at most what the budget has. */
  readonly waitMs?: number | undefined;
  /** Reads a body that should have been a stream for so long. */
  readonly bodyMs?: number | undefined;
}

type Opened =
  | { readonly response: IncomingMessage }
  | { readonly trouble: string; readonly late: boolean; readonly code?: string | undefined };

/**
 * Sends requests exactly as they are given, and keeps what comes back as it is: no redirects are followed, nothing is
 * decoded, repeated or tidied up.
 */
export class Sender {
  readonly #budget: Budget;
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Sends a request and reads its response to the end. */
  async exchange(sent: Outgoing, manner: Manner = {}): Promise<Exchange> {
    const waitMs = this.#begin(manner);
    const end = performance.now() + waitMs;
    const opened = await this.#open(sent, waitMs);
    const { odd } = manner;
    if ('trouble' in opened) return { sent, trouble: opened.trouble, late: opened.late, odd };
    const { response } = opened;
    const { text, trouble, late } = await this.#readAll(response, end - performance.now());
    return { sent, got: { ...headOf(response), text }, trouble, late, odd };
  }

  /** Sends a request whose response may be a stream of events. The stream must be closed. */
  async stream(sent: Outgoing, manner: Manner = {}): Promise<LiveStream | Exchange> {
    const waitMs = this.#begin(manner);
    const opened = await this.#open(sent, waitMs);
    if ('trouble' in opened) return { sent, trouble: opened.trouble, late: opened.late, odd: manner.odd };
    const { response } = opened;
    const type = response.headers['content-type'] ?? '';
    if (/^text\/event-stream\b/i.test(type)) return new LiveStream(sent, response, this.#budget, manner.odd);
    const { text, trouble, late } = await this.#readAll(response, Math.min(manner.bodyMs ?? waitMs, waitMs));
    return { sent, got: { ...headOf(response), text }, trouble, late, odd: manner.odd };
  }

  /** Sends a request and cuts the connection when the given time is over, before any response is read. */
  async abandon(sent: Outgoing, afterMs: number): Promise<void> {
    this.#begin({});
    await this.#open(sent, afterMs);
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #begin({ waitMs }: Manner): number {
    this.#budget.spend();
    return Math.min(waitMs ?? Number.POSITIVE_INFINITY, this.#budget.answerMs);
  }

  /** Waits for the head of the response. A connection that the server closed meanwhile is made anew, once. */
  async #open(sent: Outgoing, waitMs: number, isRepeat = false): Promise<Opened> {
    const opened = await this.#openOnce(sent, waitMs, isRepeat);
    const isStale = 'code' in opened && (opened.code === 'ECONNRESET' || opened.code === 'EPIPE');
    return isStale && !isRepeat ? this.#open(sent, waitMs, true) : opened;
  }

  #openOnce(sent: Outgoing, waitMs: number, fresh: boolean): Promise<Opened> {
    const url = new URL(sent.url);
    const isTls = url.protocol === 'https:';
    const { body } = sent;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options: RequestOptions = {
      method: sent.method,
      headers: { ...length, ...sent.headers },
      agent: fresh ? false : this.#agents[isTls ? 'https:' : 'http:'],
    };
    return new Promise((resolve) => {
      const request = (isTls ? requestHttps : requestHttp)(url, options);
      const timer = setTimeout(() => {
        resolve({ trouble: `no response within ${seconds(waitMs)}`, late: true });
        request.destroy();
      }, waitMs);
      request.once('response', (response) => {
        clearTimeout(timer);
        resolve({ response });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // Only a connection that was used before may have been closed without anybody's fault.
        resolve({
          trouble: `no response: ${error.message}`,
          late: false,
          code: request.reusedSocket ? error.code : '',
        });
      });
      request.end(body);
    });
  }

  async #readAll(
    response: IncomingMessage,
    waitMs: number,
  ): Promise<{ readonly text: string; readonly trouble?: string; readonly late?: boolean }> {
    const { responseBytes } = this.#budget.limits;
    const chunks: Buffer[] = [];
    let size = 0;
    let trouble: { readonly trouble: string; readonly late?: boolean } | undefined;
    const timer = setTimeout(() => {
      trouble = { trouble: `the response did not end within ${seconds(waitMs)}`, late: true };
      response.destroy();
    }, waitMs);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= responseBytes) continue;
        trouble = { trouble: `the response has more than ${responseBytes} bytes` };
        break;
      }
    } catch {
      trouble ??= { trouble: 'the connection was cut within the response' };
    } finally {
      clearTimeout(timer);
      response.destroy();
    }
    return { text: Buffer.concat(chunks).toString('utf8'), ...trouble };
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
