import type { Authenticator, AuthRequest } from '../../auth/authenticator.ts';
import { credentialFor } from '../../auth/credentials.ts';

/** The most credentials remembered; beyond it the oldest is forgotten. */
const MOST_KNOWN = 10_000;
/** Only the end of a credential is looked at: that of a token is its signature. */
const LOOKED_AT = 64;

/** The authenticators, by the places in which they look. */
export type CredentialPlaces = readonly Pick<Authenticator, 'scheme'>[];

/**
 * Remembers which credentials of an address were valid, by a number that is of no use elsewhere. One that was valid from
 * another address is not known here: a client that guesses it must not be told sooner.
 */
export class KnownCredentials {
  readonly #places: CredentialPlaces;
  readonly #known = new Set<number>();
  #seed = 0;

  constructor(places: CredentialPlaces) {
    this.#places = places;
  }

  /** The number of a request's credentials; undefined where it brings none in the places that the schemes name. */
  numberOf(request: AuthRequest, address: string): number | undefined {
    let number: number | undefined;
    for (const { scheme } of this.#places) {
      const credential =
        scheme.type === 'mutualTLS' ? request.peer.certificate?.fingerprint256 : credentialFor(scheme, request);
      if (credential !== undefined) number = this.#mixed(credential, number ?? 0);
    }
    return number === undefined ? undefined : this.#mixed(address, number);
  }

  has(number: number): boolean {
    return this.#known.has(number);
  }

  add(number: number): void {
    if (this.#known.has(number)) return;
    if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.values().next().value as number);
    this.#known.add(number);
  }

  delete(number: number): void {
    this.#known.delete(number);
  }

  /** Two hashes of 26 bits each, from a seed that nobody knows: guessing one is as hard as guessing a good password. */
  #mixed(text: string, before: number): number {
    // Workers have no randomness before a request.
    this.#seed ||= (crypto.getRandomValues(new Uint32Array(1))[0] as number) | 1;
    let one = this.#seed ^ text.length ^ before;
    let other = Math.imul(this.#seed, 0x9e3779b1) ^ (before / BITS);
    for (let at = Math.max(0, text.length - LOOKED_AT); at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13);
    }
    return (one >>> 6) * BITS + (other >>> 6);
  }
}

const BITS = 2 ** 26;
