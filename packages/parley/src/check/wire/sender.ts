import { skip } from '../verdict.ts';
import type { Budget } from './budget.ts';
import type { CarriedResponse, Carrier } from './carrier.ts';
import type { Exchange, Outgoing } from './exchange.ts';
import { LiveStream } from './live-stream.ts';
import { SseSource } from './stream/sse-source.ts';
import { GRPC_METHOD, type Transport } from './transport.ts';

/** The differences of one request from the usual. */
export interface Manner {
  /** The request is wrong on purpose. */
  readonly odd?: boolean | undefined;
  /** The longest wait for the response; at most what the budget has. */
  readonly waitMs?: number | undefined;
  /** The time for reading a body that should have been a stream. */
  readonly bodyMs?: number | undefined;
}

/** There is no response. */
interface Nothing {
  readonly response?: undefined;
  readonly trouble: string;
  readonly late: boolean;
}

type Opened = { readonly response: CarriedResponse } | Nothing;

/** Sends the requests of a check within its budget, and keeps what comes back as it is. */
export class Sender {
  readonly #budget: Budget;
  readonly #carrier: Carrier;
  #grpc: Transport | undefined;
  /** Ends all that is under way. */
  #life = new AbortController();

  constructor(budget: Budget, carrier: Carrier) {
    this.#budget = budget;
    this.#carrier = carrier;
  }

  /** Lets requests go over gRPC as well. */
  carryGrpc(transport: Transport): void {
    this.#grpc = transport;
  }

  /** Sends a request and reads its response to the end. */
  async exchange(sent: Outgoing, manner: Manner = {}): Promise<Exchange> {
    const waitMs = this.#begin(manner);
    const { odd } = manner;
    const grpc = this.#grpcFor(sent);
    if (grpc) return exchangeOf(sent, await this.#within(waitMs, (signal) => grpc.exchange(sent, signal)), odd);
    const end = performance.now() + waitMs;
    const opened = await this.#open(sent, waitMs);
    if (!opened.response) return { sent, trouble: opened.trouble, late: opened.late, odd };
    return { ...(await this.#readAll(sent, opened.response, end - performance.now())), odd };
  }

  /** Sends a request whose response may be a stream of events. The stream must be closed. */
  async stream(sent: Outgoing, manner: Manner = {}): Promise<LiveStream | Exchange> {
    const waitMs = this.#begin(manner);
    const { odd } = manner;
    const grpc = this.#grpcFor(sent);
    if (grpc) {
      const came = await this.#within(waitMs, (signal) => grpc.open(sent, signal));
      return 'source' in came ? new LiveStream(sent, came.source, this.#budget, odd) : exchangeOf(sent, came, odd);
    }
    const opened = await this.#open(sent, waitMs);
    if (!opened.response) return { sent, trouble: opened.trouble, late: opened.late, odd };
    const { response } = opened;
    const type = response.headers['content-type'] ?? '';
    if (/^text\/event-stream\b/i.test(type)) return new LiveStream(sent, new SseSource(response), this.#budget, odd);
    return { ...(await this.#readAll(sent, response, Math.min(manner.bodyMs ?? waitMs, waitMs))), odd };
  }

  /** Sends a request and cuts the connection when the given time is over, before any response is read. */
  async abandon(sent: Outgoing, afterMs: number): Promise<void> {
    this.#begin({});
    const grpc = this.#grpcFor(sent);
    if (grpc) {
      await this.#within(afterMs, (signal) => grpc.exchange(sent, signal));
      return;
    }
    const { response } = await this.#open(sent, afterMs);
    response?.close();
  }

  /** Cuts what is under way, and refuses requests until `resume`. */
  interrupt(): void {
    this.#life.abort();
  }

  resume(): void {
    if (this.#life.signal.aborted) this.#life = new AbortController();
  }

  close(): void {
    this.#grpc?.close();
    this.#carrier.close();
  }

  #grpcFor({ method }: Outgoing): Transport | undefined {
    if (method !== GRPC_METHOD) return undefined;
    return this.#grpc ?? skip('nothing carries requests over gRPC');
  }

  #begin({ waitMs }: Manner): number {
    if (this.#life.signal.aborted) skip('the check was stopped');
    this.#budget.spend();
    return Math.min(waitMs ?? Number.POSITIVE_INFINITY, this.#budget.answerMs);
  }

  /** Waits for the head of the response. */
  #open(sent: Outgoing, waitMs: number): Promise<Opened> {
    return this.#within(waitMs, async (signal) => ({ response: await this.#carrier.open(sent, signal) }));
  }

  /** Returns the outcome of a request in time, or the reason why there is none. */
  async #within<Result>(waitMs: number, send: (signal: AbortSignal) => Promise<Result>): Promise<Result | Nothing> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), waitMs);
    try {
      return await send(AbortSignal.any([this.#life.signal, late.signal]));
    } catch (error) {
      if (late.signal.aborted) return { trouble: `no response within ${seconds(waitMs)}`, late: true };
      return { trouble: `no response: ${error instanceof Error ? error.message : String(error)}`, late: false };
    } finally {
      clearTimeout(timer);
    }
  }

  async #readAll(sent: Outgoing, response: CarriedResponse, waitMs: number): Promise<Exchange> {
    const { responseBytes } = this.#budget.limits;
    const chunks: Uint8Array[] = [];
    let size = 0;
    let trouble: Pick<Exchange, 'trouble' | 'late'> | undefined;
    const timer = setTimeout(() => {
      trouble = { trouble: `the response did not end within ${seconds(waitMs)}`, late: true };
      response.close();
    }, waitMs);
    try {
      for await (const chunk of response.body) {
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
      response.close();
    }
    const { status, headers } = response;
    return { sent, got: { status, headers, text: Buffer.concat(chunks).toString('utf8') }, ...trouble };
  }
}

function exchangeOf(sent: Outgoing, came: Omit<Exchange, 'sent' | 'odd'>, odd: boolean | undefined): Exchange {
  const { got, trouble, late } = came;
  return { sent, got, trouble, late, odd };
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
