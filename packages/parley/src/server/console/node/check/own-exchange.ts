import { type ExchangeRequest, type Peer, type RequestHeaders, Unread } from '../../../../bindings/exchange.ts';
import type { Outgoing } from '../../../../check/wire/exchange.ts';
import { SMALL_BODY, tooLarge } from '../../../http/held/held-bodies.ts';
import { isForwardingHeader } from '../../../routing/locality.ts';

/** A request of a check to the server that runs it. Its peer and its way are those of the operator's request. */
export class OwnExchange implements ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly prefix: string | undefined;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  body: unknown;
  readonly #bytes: Uint8Array | undefined;
  readonly #signal: AbortSignal;

  /** `url`: path and query below the prefix. */
  constructor(sent: Outgoing, url: string, operator: ExchangeRequest, signal: AbortSignal) {
    this.method = sent.method;
    this.url = url;
    this.prefix = operator.prefix;
    this.peer = operator.peer;
    this.#bytes = sent.body === undefined ? undefined : new TextEncoder().encode(sent.body);
    this.#signal = signal;
    this.headers = {
      ...wayOf(operator.headers),
      ...(this.#bytes && { 'content-length': String(this.#bytes.length) }),
      ...Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  get isBodyLarge(): boolean {
    return this.#length > SMALL_BODY;
  }

  readBody(most = SMALL_BODY): undefined {
    this.body = this.#length > most ? new Unread(tooLarge(most)) : this.#bytes;
  }

  /** A request may announce more than it has; it is judged by what it announces, as one on the wire is. */
  get #length(): number {
    return Math.max(this.#bytes?.length ?? 0, Number(this.headers['content-length'] ?? 0));
  }

  onAbort(listener: () => void): () => void {
    if (this.#signal.aborted) listener();
    else this.#signal.addEventListener('abort', listener, { once: true });
    return () => this.#signal.removeEventListener('abort', listener);
  }
}

/** The headers that tell how a request came to the server. */
function wayOf(headers: RequestHeaders): RequestHeaders {
  const isOfWay = (name: string) => name === 'host' || name === ':authority' || isForwardingHeader(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOfWay(name)));
}
