import type { Peer, RequestHeaders } from '../../bindings/exchange.ts';
import type { ApiKeyFacet, Awaitable, Logger } from '../../engine/ports.ts';
import type { SecurityScheme } from '../../model/card.ts';
import type { JsonObject } from '../../model/json.ts';

/** The certificate of a client, as Node describes it. */
export interface ClientCertificate {
  /** The parts of the subject's name in the certificate's order, e.g. `{ O: 'Acme', CN: 'alice' }`. */
  readonly subject: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly issuer?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** E.g. `DNS:alice.example.com, URI:spiffe://example.com/alice`. */
  readonly subjectaltname?: string | undefined;
  /** SHA-256 of the certificate, in hexadecimal pairs with colons. */
  readonly fingerprint256: string;
  readonly serialNumber?: string | undefined;
}

export interface AuthPeer extends Peer {
  /** Present only where the TLS layer has verified it. */
  readonly certificate?: ClientCertificate | undefined;
}

/** The part of a request that an authenticator sees: everything but the body. */
export interface AuthRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly peer: AuthPeer;
}

/** Who calls. */
export interface Identity {
  /** Tasks and contexts belong to it; never empty. */
  readonly subject: string;
  readonly scopes?: readonly string[] | undefined;
  readonly claims?: JsonObject | undefined;
}

/** What a server lends to its authenticators while it is open. */
export interface AuthTools {
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The server's store, for `apiKeys()` that have no other place. */
  readonly store?: ApiKeyFacet | undefined;
}

/** One way of telling who calls. */
export interface Authenticator {
  /** The name of its scheme on the card; unique among the authenticators of a server. */
  readonly name: string;
  /** What the card declares. */
  readonly scheme: SecurityScheme;
  /**
   * Where its subjects come from, if somebody else hands them out: two issuers may both have an "alice". Only one
   * authenticator without a prefix may have an issuer.
   */
  readonly issuer?: { readonly url: string; readonly prefix: string } | undefined;
  /**
   * Returns undefined where the request has no credential of this kind. Throws `UNAUTHENTICATED` (`wrongCredential`)
   * for a credential that is wrong, `UNAVAILABLE` for one that cannot be checked now. Returns without a promise
   * where the result is known already.
   */
  authenticate(request: AuthRequest): Awaitable<Identity | undefined>;
  /** Called before the first request. */
  open?(tools: AuthTools): Awaitable<void>;
  close?(): Awaitable<void>;
}

/** For authenticators that no server has opened. */
export const UNOPENED: AuthTools = { log: { error: () => {}, warn: () => {} }, now: Date.now };
