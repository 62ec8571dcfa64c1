import type { AgentCard, SecurityRequirement, SecurityScheme } from '../../model/card.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { Credential, CredentialRequest, Credentials, OAuth, TokenRequest } from '../options.ts';
import { basic } from './basic.ts';
import type { Authorization, Authorizer } from './guarded-fetch.ts';
import type { TrustedOrigins } from './origins.ts';

interface CardAuthorizerOptions {
  readonly card: () => AgentCard | undefined;
  readonly credentials: Credentials;
  readonly oauth: OAuth | undefined;
  readonly trusted: TrustedOrigins;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** The skill that the call is for. */
  readonly skill: string | undefined;
}

type Wanted = Pick<CredentialRequest, 'name' | 'scheme' | 'scopes'>;

/** The schemes of `WWW-Authenticate`: a parameter's name is followed by `=`, a scheme never is. */
const CHALLENGE_SCHEME = /(?:^|,)\s*([\w-]+)(?=\s+[^=\s]|\s*(?:,|$))/g;

const NOTHING: Authorization = {};

/**
 * Credentials in the places that the card names (reference: v1-agent-card §5): the first of its alternatives for which
 * there are all credentials. Where the card names none, those are sent that the user gave for its schemes by name; and a
 * server that asks on its own (401) is answered by the scheme that it names.
 */
export class CardAuthorizer implements Authorizer {
  readonly #options: CardAuthorizerOptions;
  /** The tokens that were sent last, by scheme. */
  readonly #sent = new Map<string, Credential>();

  constructor(options: CardAuthorizerOptions) {
    this.#options = options;
  }

  async authorize(url: URL, challenge?: string): Promise<Authorization | undefined> {
    const { skill } = this.#options;
    for (const alternative of this.#alternatives(challenge)) {
      const pieces: Authorization[] = [];
      for (const one of alternative) {
        const refused = challenge === undefined ? undefined : this.#sent.get(one.name);
        const piece = await this.#fulfil({ ...one, url: url.href, skill, challenge, refused });
        if (!piece) break;
        pieces.push(piece);
      }
      if (pieces.length === alternative.length) return pieces.reduce(merge, NOTHING);
    }
    return undefined;
  }

  #alternatives(challenge: string | undefined): readonly (readonly Wanted[])[] {
    const { card: cardOf, credentials, skill: skillId } = this.#options;
    const card = cardOf();
    const schemes = card?.securitySchemes ?? {};
    const skill = card?.skills.find(({ id }) => id === skillId);
    const demanded = combine(card?.security ?? [], skill?.security ?? []);
    if (demanded.length > 0) return demanded.flatMap((requirement) => wantedOf(requirement, schemes));
    // A function is asked for all of them, once the server has asked; a record tells which of them it has.
    const isGiven = (name: string) =>
      typeof credentials === 'function' ? challenge !== undefined : credentials[name] !== undefined;
    const given = Object.keys(schemes).filter(isGiven);
    if (given.length > 0) return given.flatMap((name) => wantedOf({ [name]: [] }, schemes));
    return [...(challenge ?? '').matchAll(CHALLENGE_SCHEME)].map(([, scheme = '']) => [
      { name: '', scheme: { type: 'http', scheme }, scopes: [] },
    ]);
  }

  async #fulfil(wanted: CredentialRequest): Promise<Authorization | undefined> {
    const { name, scheme } = wanted;
    // The connection itself proves it.
    if (scheme.type === 'mutualTLS') return NOTHING;
    const credential = await this.#credential(wanted);
    if (credential === undefined) return undefined;
    this.#sent.set(name, credential);
    switch (scheme.type) {
      case 'apiKey':
        return apiKey(scheme, textOf(credential, wanted));
      case 'http':
        return authorization(httpValue(scheme.scheme, credential, wanted));
      case 'oauth2':
      case 'openIdConnect':
        return authorization(`Bearer ${await this.#bearer(credential, wanted)}`);
    }
  }

  async #credential(wanted: CredentialRequest): Promise<Credential | undefined> {
    const { credentials } = this.#options;
    const { name, scheme } = wanted;
    if (typeof credentials === 'function') {
      try {
        return await credentials(wanted);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new A2AError('UNAUTHENTICATED', `There are no credentials for ${name || scheme.type}: ${why}`, { cause });
      }
    }
    if (name !== '') return credentials[name];
    return scheme.type === 'http' ? credentials[scheme.scheme.toLowerCase()] : undefined;
  }

  async #bearer(credential: Credential, wanted: CredentialRequest): Promise<string> {
    if (typeof credential === 'string') return credential;
    const { oauth, fetch, now, trusted } = this.#options;
    if (!('clientId' in credential) || !oauth)
      throw unfit(wanted, 'a token, or clientId and clientSecret with clientCredentials() as oauth');
    const isTrusted = (url: string) => trusted.has(url);
    // Such a credential is always sent as a token, so `refused` is one.
    const token = await oauth.token({ ...wanted, client: credential, isTrusted, fetch, now } as TokenRequest);
    this.#sent.set(wanted.name, token);
    return token;
  }
}

/** No alternative at all where it names a scheme that the card does not have. */
function wantedOf(
  requirement: SecurityRequirement,
  schemes: NonNullable<AgentCard['securitySchemes']>,
): readonly (readonly Wanted[])[] {
  const wanted = Object.entries(requirement).map(([name, scopes]) => ({
    name,
    scheme: Object.hasOwn(schemes, name) ? schemes[name] : undefined,
    scopes,
  }));
  return wanted.every(({ scheme }) => scheme) ? [wanted as readonly Wanted[]] : [];
}

/** Combines the demands of the card and of the skill. */
function combine(
  card: readonly SecurityRequirement[],
  skill: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  if (card.length === 0 || skill.length === 0) return [...card, ...skill];
  return card.flatMap((one) => skill.map((other) => ({ ...one, ...other })));
}

function apiKey({ in: place, name }: Extract<SecurityScheme, { type: 'apiKey' }>, key: string): Authorization {
  if (place === 'query') return { query: { [name]: key } };
  return { headers: place === 'cookie' ? { cookie: `${name}=${key}` } : { [name.toLowerCase()]: key } };
}

function httpValue(scheme: string, credential: Credential, wanted: Wanted): string {
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${textOf(credential, wanted)}`;
  if (typeof credential === 'object' && 'username' in credential)
    return basic(credential.username, credential.password);
  const value = textOf(credential, wanted);
  // Base64 has no colon: it is encoded already.
  const colon = value.indexOf(':');
  return colon < 0 ? `Basic ${value}` : basic(value.slice(0, colon), value.slice(colon + 1));
}

function authorization(value: string): Authorization {
  return { headers: { authorization: value } };
}

function merge(one: Authorization, other: Authorization): Authorization {
  const cookie = [one.headers?.cookie, other.headers?.cookie].filter(Boolean).join('; ');
  return {
    headers: { ...one.headers, ...other.headers, ...(cookie && { cookie }) },
    query: { ...one.query, ...other.query },
  };
}

function textOf(credential: Credential, wanted: Wanted): string {
  if (typeof credential === 'string') return credential;
  throw unfit(wanted, 'a string');
}

function unfit({ name }: Wanted, fit: string): A2AError {
  return new A2AError('UNAUTHENTICATED', `The credentials for ${name} do not fit its scheme: ${fit} is needed`);
}
