import { type ExchangeRequest, type ExchangeResponse, header } from '../../bindings/exchange.ts';

interface Prepared {
  readonly body: string;
  readonly etag: string;
}

const MOST_KEPT = 64;

interface CardResponsesOptions {
  /** Seconds for which clients may keep a card. */
  readonly maxAge: number;
  readonly madeAt: Date;
  /** Only callers who are known may read them: no cache may hand them on. Default false. */
  readonly isGuarded?: boolean | undefined;
  /** The headers, beside the version, that a card depends on. */
  readonly variesBy?: readonly string[] | undefined;
}

/** Cards as HTTP answers: written once for each address, revalidated by ETag or by date (reference: v1-agent-card §4). */
export class CardResponses {
  readonly #caching: string;
  readonly #vary: string;
  readonly #lastModified: Date;
  readonly #prepared = new Map<string, Prepared>();

  constructor({ maxAge, madeAt, isGuarded = false, variesBy = [] }: CardResponsesOptions) {
    this.#caching = `${isGuarded ? 'private' : 'public'}, max-age=${maxAge}`;
    this.#vary = ['A2A-Version', ...variesBy].join(', ');
    // HTTP dates have no milliseconds.
    this.#lastModified = new Date(Math.floor(madeAt.getTime() / 1000) * 1000);
  }

  /** `key` names the card: its shape, the agent and the address it is published under. */
  respond(request: ExchangeRequest, key: string, card: () => unknown, mediaType?: string): ExchangeResponse {
    return this.#answer(request, this.#prepared.get(key) ?? this.#keep(key, card()), mediaType);
  }

  /** The same for a card that takes time to make, as one that is signed. */
  async respondLater(request: ExchangeRequest, key: string, card: () => Promise<unknown>): Promise<ExchangeResponse> {
    const known = this.#prepared.get(key);
    return this.#answer(request, known ?? this.#keep(key, await card()));
  }

  #answer(request: ExchangeRequest, { body, etag }: Prepared, mediaType = 'application/json'): ExchangeResponse {
    const headers = {
      'content-type': mediaType,
      'cache-control': this.#caching,
      etag,
      'last-modified': this.#lastModified.toUTCString(),
      vary: this.#vary,
    };
    if (this.#isFresh(request, etag)) return { status: 304, headers, body: undefined };
    return { status: 200, headers, body };
  }

  #keep(key: string, card: unknown): Prepared {
    // The address may come from the Host header, so callers could ask for any number of them.
    if (this.#prepared.size >= MOST_KEPT) this.#prepared.clear();
    const body = JSON.stringify(card);
    const prepared = { body, etag: `"${fingerprint(body)}"` };
    this.#prepared.set(key, prepared);
    return prepared;
  }

  #isFresh(request: ExchangeRequest, etag: string): boolean {
    const match = header(request.headers, 'if-none-match');
    if (match !== undefined) {
      const candidates = match.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
      return candidates.includes(etag) || candidates.includes('*');
    }
    const since = Date.parse(header(request.headers, 'if-modified-since') ?? '');
    return since >= this.#lastModified.getTime();
  }
}

/** 64 bits of two FNV-1a hashes: enough to tell versions of a card apart. */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + index), 0x01000193);
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
