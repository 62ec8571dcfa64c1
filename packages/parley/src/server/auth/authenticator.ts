import type { Peer, RequestHeaders } from '../../bindings/exchange.ts';
import type { ApiKeyFacet, Awaitable, Logger } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import type { SecurityScheme } from '../../model/card.ts';

export type { ClientCertificate, Peer } from '../../bindings/exchange.ts';

/** The part of a request that an authenticator sees: everything but the body. */
export interface AuthRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
}

/** The caller that the credentials prove. */
export interface Identity {
  /** Tasks and contexts belong to it; never empty. */
  readonly subject: string;
  /** The tenant that the caller belongs to: it sees no other. Default: none, and it may name any that the server has. */
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly claims?: JsonObject | undefined;
}

/** The parts of a server that its authenticators may use while it is open. */
export interface AuthTools {
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The server's store, for `apiKeys()` that have no other place. */
  readonly store?: ApiKeyFacet | undefined;
}

/** A party that hands out subjects. */
export interface TokenIssuer {
  readonly url: string;
  /** Stands before every subject. */
  readonly prefix: string;
  /** For whom the tokens must be. */
  readonly audiences?: readonly string[] | undefined;
}

/** One way of telling who calls. */
export interface Authenticator {
  /** The name of its scheme on the card; unique among the authenticators of a server. */
  readonly name: string;
  /** The scheme that the card declares. */
  readonly scheme: SecurityScheme;
  /**
   * The source of its subjects, if another party hands them out: two issuers may both have an "alice". Only one
   * authenticator without a prefix may have an issuer.
   */
  readonly issuer?: TokenIssuer | undefined;
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
