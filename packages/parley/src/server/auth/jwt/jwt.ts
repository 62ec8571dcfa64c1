import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { SecurityScheme } from '../../../model/card.ts';
import { isA2AError } from '../../../model/errors/errors.ts';
import {
  type Authenticator,
  type AuthRequest,
  type AuthTools,
  type Identity,
  type TokenIssuer,
  UNOPENED,
} from '../authenticator.ts';
import { authorizationOf, LONGEST_CREDENTIAL } from '../credentials.ts';
import { IdentityCache } from '../identity-cache.ts';
import { wrongCredential } from '../refusals.ts';
import { fetchObject } from './bounded-fetch.ts';
import { claimedIssuer, identityOf, NO_TENANT } from './claims.ts';
import { type Discovered, discover } from './discovery.ts';
import { algorithmsOf, checkJwtOptions, type JwtOptions, schemeOf, secretBytes } from './options.ts';
import { RemoteKeys } from './remote-keys.ts';

const DEFAULT_CLOCK_SKEW = 60;
/** The most keys that are tried for a token that names none. */
const MOST_KEYS_TRIED = 8;

/**
 * Identifies callers by the JWT in `Authorization: Bearer …`. A verified token is remembered until it expires, unless
 * the issuer takes the keys back; it then costs one look into a map.
 */
export function jwt(options: JwtOptions): Authenticator {
  checkJwtOptions(options);
  return new JwtAuthenticator(options);
}

class JwtAuthenticator implements Authenticator {
  readonly name: string;
  readonly issuer: TokenIssuer;
  readonly #options: JwtOptions;
  readonly #algorithms: string[];
  readonly #skew: number;
  /** Replaced when a key is withdrawn, so that a verification which is under way leaves nothing in the new one. */
  #cache = new IdentityCache();
  readonly #key: Uint8Array | JWTVerifyGetKey;
  readonly #remote: RemoteKeys | undefined;
  #closing = new AbortController();
  #scheme: SecurityScheme;
  #tools: AuthTools = UNOPENED;

  constructor(options: JwtOptions) {
    const { issuer, name = 'bearer', clockSkew = DEFAULT_CLOCK_SKEW, subjectPrefix = '', secret, jwks } = options;
    this.name = name;
    this.issuer = { url: issuer, prefix: subjectPrefix, audiences: [options.audience].flat() };
    this.#options = options;
    this.#algorithms = [...algorithmsOf(options)];
    this.#skew = clockSkew;
    this.#scheme = schemeOf(options);
    if (secret !== undefined) {
      this.#key = secretBytes(secret);
    } else if (typeof jwks === 'object' && !(jwks instanceof URL)) {
      this.#key = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
    } else {
      const remote = new RemoteKeys(
        issuer,
        () => this.#loadKeys(),
        () => this.#tools,
      );
      remote.onWithdrawn = () => {
        this.#cache = new IdentityCache();
      };
      this.#remote = remote;
      this.#key = (header, token) => remote.find(header, token);
    }
  }

  get scheme(): SecurityScheme {
    return this.#scheme;
  }

  open(tools: AuthTools): void {
    this.#tools = tools;
    if (this.#closing.signal.aborted) this.#closing = new AbortController();
    this.#remote?.refreshIfOld();
  }

  /** A server that stops does not wait for an issuer. */
  close(): void {
    this.#closing.abort();
  }

  authenticate(request: AuthRequest): Identity | undefined | Promise<Identity> {
    const token = authorizationOf(request, 'Bearer');
    if (token === undefined) return undefined;
    const known = this.#cache.get(token, this.#tools.now());
    if (known === undefined) return this.#verify(token);
    this.#remote?.refreshIfOld();
    return known;
  }

  async #verify(token: string): Promise<Identity> {
    const { name } = this;
    const { issuer } = this.#options;
    if (token.length > LONGEST_CREDENTIAL) throw wrongCredential(name, 'the token is too long');
    if (claimedIssuer(token) !== issuer) {
      throw wrongCredential(name, `the token is not of ${issuer}`, { isForeign: true });
    }
    const cache = this.#cache;
    const claims = await this.#claimsOf(token).catch((error: unknown) => this.#refuse(error));
    let identity: Identity;
    try {
      identity = identityOf(claims, this.#options);
    } catch (cause) {
      const isOfTenant = cause instanceof TypeError && cause.message === NO_TENANT;
      throw wrongCredential(name, isOfTenant ? NO_TENANT : 'the claims name no subject', { cause });
    }
    cache.set(token, identity, ((claims.exp ?? 0) + this.#skew) * 1000);
    return identity;
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, audience } = this.#options;
    const rules = {
      issuer,
      audience: [audience].flat(),
      algorithms: this.#algorithms,
      clockTolerance: this.#skew,
      currentDate: new Date(this.#tools.now()),
      requiredClaims: ['exp'],
    };
    // The overloads of `jwtVerify` ask for the kind of key.
    const key = this.#key;
    if (typeof key !== 'function') return (await jwtVerify(token, key, rules)).payload;
    try {
      return (await jwtVerify(token, key, rules)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      let tried = 0;
      for await (const candidate of error) {
        if (tried++ === MOST_KEYS_TRIED) break;
        try {
          return (await jwtVerify(token, candidate, rules)).payload;
        } catch (failure) {
          if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
        }
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  }

  /** The signature was right where a claim is what is wrong; only then the caller is told more. */
  #refuse(error: unknown): never {
    if (isA2AError(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    let message: string | undefined;
    if (error instanceof errors.JWTExpired) message = 'The token has expired';
    else if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf')
      message = 'The token is not valid yet';
    throw wrongCredential(this.name, why, { message, cause: error });
  }

  async #loadKeys(): Promise<Readonly<Record<string, unknown>>> {
    const { issuer, jwks, trustedOrigins = [], fetch = globalThis.fetch } = this.#options;
    const reading = { fetch, signal: this.#closing.signal };
    if (typeof jwks === 'string' || jwks instanceof URL) return fetchObject(String(jwks), reading);
    const discovered = await discover(issuer, trustedOrigins, reading);
    this.#declare(discovered);
    return fetchObject(discovered.jwksUrl, reading);
  }

  /** An issuer that speaks OAuth alone has no OpenID document that a card could name. */
  #declare({ kind, documentUrl }: Discovered): void {
    if (this.#scheme.type === 'oauth2') return;
    const description = `Tokens of ${this.#options.issuer}, which is described at ${documentUrl}`;
    this.#scheme =
      kind === 'openid'
        ? schemeOf(this.#options)
        : { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT', description };
  }
}
