import type { ExchangeResponse } from '../../bindings/exchange.ts';
import type { Jwk } from '../../cards/keys/algorithms.ts';
import { publicHalf } from '../../cards/keys/key-kinds.ts';

/** The address of the public keys of a server (RFC 7517). */
export const KEYS_PATH = '/.well-known/jwks.json';

/** Public keys, by now or once they are read. */
type KeySource = () => readonly Jwk[] | Promise<readonly Jwk[]>;

/**
 * The public keys of a server, with which others verify what it signs: its cards, its webhooks. Each part that signs adds its
 * keys; verifiers find theirs by its name, `kid`.
 */
export class PublishedKeys {
  readonly #sources: KeySource[] = [];
  readonly #maxAge: number;

  /** @param maxAge seconds for which verifiers may keep them */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
  }

  /** No keys to publish, so the address does not exist. */
  get isEmpty(): boolean {
    return this.#sources.length === 0;
  }

  add(source: KeySource): void {
    this.#sources.push(source);
  }

  async respond(): Promise<ExchangeResponse> {
    const found = (await Promise.all(this.#sources.map(async (source) => source()))).flat();
    // A private half that got here by mistake goes no further.
    const keys = found.map(publicHalf);
    const headers = { 'content-type': 'application/jwk-set+json', 'cache-control': `public, max-age=${this.#maxAge}` };
    return { status: 200, headers, body: JSON.stringify({ keys }) };
  }
}
