import type { JsonObject } from '../../../model/basics/json.ts';
import type { OAuthFlows, SecurityScheme } from '../../../model/card.ts';
import {
  anything,
  type Checks,
  called,
  checkOptions,
  filled,
  flag,
  object,
  takes,
  takesUnseen,
  text,
  texts,
} from '../../../model/options/checks.ts';
import type { Fetch } from './bounded-fetch.ts';
import { openIdUrl } from './discovery.ts';

/** A set of public keys (RFC 7517). */
export interface JsonWebKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

export interface JwtOptions {
  /** The issuer of the tokens: exactly their `iss`. */
  readonly issuer: string;
  /** The audience of the tokens: `aud` must have one of these. */
  readonly audience: string | readonly string[];
  /** The issuer's keys, or their address. Default: found by OpenID Connect Discovery, else by RFC 8414. */
  readonly jwks?: string | URL | JsonWebKeys | undefined;
  /** A secret that you share with the issuer (HS256), instead of public keys; at least 32 bytes. */
  readonly secret?: string | Uint8Array | undefined;
  /** Accepted algorithms. Default: all asymmetric ones, or HS256 with a secret. */
  readonly algorithms?: readonly string[] | undefined;
  /** Seconds by which the clocks may differ. Default 60. */
  readonly clockSkew?: number | undefined;
  /** Reads the scopes from the claims. Default: `scope`, or `scp`. */
  readonly scopes?: ((claims: JsonObject) => readonly string[]) | undefined;
  /** Reads the subject from the claims. Default: `sub`. */
  readonly subject?: ((claims: JsonObject) => string | undefined) | undefined;
  /** Prefix of every subject, so that subjects of several issuers differ. Default: none. */
  readonly subjectPrefix?: string | undefined;
  /**
   * The claim that names the caller's tenant, or a function that reads it. The server refuses tokens without one. A
   * function may return '' for callers without a tenant. Default: no caller belongs to a tenant.
   */
  readonly tenant?: string | ((claims: JsonObject) => string | undefined) | undefined;
  /** OAuth flows by which clients get a token; the card then declares `oauth2`. */
  readonly flows?: OAuthFlows | undefined;
  /** The scheme's name on the card. Default `bearer`. */
  readonly name?: string | undefined;
  /** Origins beside the issuer's that may serve its keys. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** Loads keys over plain HTTP from hosts other than this machine. Default false. */
  readonly allowHttp?: boolean | undefined;
  /** Loads the keys of issuers. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const SYMMETRIC_ALGORITHMS: readonly string[] = ['HS256', 'HS384', 'HS512'];
const SHORTEST_SECRET = 32;

const OPTIONS: Checks<JwtOptions> = {
  issuer: anything,
  audience: anything,
  jwks: anything,
  secret: takesUnseen('a string or bytes', (value) => typeof value === 'string' || value instanceof Uint8Array),
  algorithms: texts,
  clockSkew: anything,
  scopes: called,
  subject: called,
  subjectPrefix: text,
  tenant: takes('the name of a claim, or a function', (value) => ['string', 'function'].includes(typeof value)),
  flows: object,
  name: filled,
  trustedOrigins: texts,
  allowHttp: flag,
  fetch: called,
};

/** The algorithms of a configuration; throws where they do not fit its keys. */
export function algorithmsOf({ algorithms, secret }: JwtOptions): readonly string[] {
  const fitting = secret === undefined ? ASYMMETRIC_ALGORITHMS : SYMMETRIC_ALGORITHMS;
  if (algorithms === undefined) return secret === undefined ? fitting : ['HS256'];
  if (algorithms.length === 0) throw new TypeError('jwt: algorithms must not be empty');
  const unfit = algorithms.find((algorithm) => !fitting.includes(algorithm));
  if (unfit !== undefined) {
    const keys = secret === undefined ? 'public keys' : 'a secret';
    throw new TypeError(`jwt: the algorithm ${unfit} cannot be used with ${keys}; there are ${fitting.join(', ')}`);
  }
  return algorithms;
}

export function secretBytes(secret: string | Uint8Array): Uint8Array {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (bytes.length < SHORTEST_SECRET) throw new TypeError(`jwt: secret must have at least ${SHORTEST_SECRET} bytes`);
  return bytes;
}

/** Throws where the options cannot be meant. */
export function checkJwtOptions(options: JwtOptions): void {
  checkOptions('jwt', options, OPTIONS);
  const { issuer, audience, jwks, secret, clockSkew = 0 } = options;
  if (typeof issuer !== 'string' || issuer === '') throw new TypeError('jwt: issuer is missing');
  if ([audience].flat().filter((one) => typeof one === 'string' && one !== '').length === 0) {
    throw new TypeError('jwt: audience is missing; without it, tokens for any other service would be let in');
  }
  if (jwks !== undefined && secret !== undefined) throw new TypeError('jwt: give either jwks or secret');
  if (typeof clockSkew !== 'number' || !(clockSkew >= 0 && clockSkew <= 3600))
    throw new TypeError('jwt: clockSkew must be from 0 to 3600 seconds');
  if (secret !== undefined) return;
  if (jwks === undefined) checkAddress('issuer', issuer, options);
  else if (typeof jwks === 'string' || jwks instanceof URL) checkAddress('jwks', jwks, options);
}

function checkAddress(option: string, address: string | URL, { allowHttp = false }: JwtOptions): void {
  const text = String(address);
  if (!URL.canParse(text)) throw new TypeError(`jwt: ${option} must be an address, not "${text}"`);
  const { protocol, hostname } = new URL(text);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && (isLocal || allowHttp))) return;
  throw new TypeError(`jwt: ${option} must be an https address, or set allowHttp: true`);
}

/** The scheme on the card before the issuer was asked for anything. */
export function schemeOf({ issuer, jwks, secret, flows }: JwtOptions): SecurityScheme {
  if (flows !== undefined) return { type: 'oauth2', flows };
  if (jwks === undefined && secret === undefined) return { type: 'openIdConnect', openIdConnectUrl: openIdUrl(issuer) };
  return { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' };
}
