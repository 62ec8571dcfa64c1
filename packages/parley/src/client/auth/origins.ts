import type { ClientBinding } from '../../bindings/binding.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import { httpUrl } from '../call/http-url.ts';

/** The origins that may see what the user entrusted to the client: the card's own, and those that were allowed. */
export class TrustedOrigins {
  readonly #origins: Set<string>;

  constructor(allowed: readonly string[]) {
    this.#origins = new Set(allowed.map(originOf));
  }

  /** The origin that the user named, or that the card came from. */
  add(url: string | URL): void {
    this.#origins.add(new URL(url).origin);
  }

  /** @param isTrusted tells of an address whether it may see what is meant for a trusted origin that is not its own */
  has(url: string | URL, isTrusted?: ClientBinding['isTrusted']): boolean {
    const address = new URL(url);
    return [...this.#origins].some((origin) => origin === address.origin || isTrusted?.(address, origin));
  }
}

function originOf(allowed: string): string {
  const url = httpUrl(allowed);
  if (url) return url.origin;
  const example = 'write it like https://api.example.com';
  throw new A2AError('INVALID_PARAMS', `Not an origin in allowedOrigins: ${quoted(String(allowed))}; ${example}`);
}
