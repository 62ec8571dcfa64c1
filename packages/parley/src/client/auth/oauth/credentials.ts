import { A2AError } from '../../../model/errors/errors.ts';
import { systemTiming, type Timing } from '../../call/timing.ts';
import type { A2AClient } from '../../client.ts';
import type { CredentialRequest } from '../../options.ts';
import { agentAddress, belongsTo } from './addresses.ts';
import { bearerChallenge } from './challenge.ts';
import { type Grant, type GrantStore, MemoryGrants, withGrant } from './grants.ts';
import { discovered, obtain, renew } from './obtaining.ts';
import { checkOptions, type OAuthOptions } from './options.ts';
import { requestsOf } from './sign-in.ts';

/** Credentials that get their tokens themselves. */
export interface OAuthCredentials {
  /** The token for a call; undefined where the scheme takes none. */
  (request: CredentialRequest): Promise<string | undefined>;
  /**
   * Gets a token now, before any call, and so without the time limit of calls. The client must have these credentials.
   */
  signIn(client: A2AClient): Promise<void>;
  /** Forgets what was granted for an agent's origin. */
  signOut(url: string | URL): Promise<void>;
}

/**
 * Credentials from an authorization server that the agent itself names: `new A2AClient(url, { credentials: oauth({ … }) })`.
 *
 * @example
 * const credentials = oauth({
 *   clientId: 'reports',
 *   flow: deviceCode({ onCode: ({ userCode, verificationUri }) => console.log(`${verificationUri}: ${userCode}`) }),
 * });
 */
export function oauth(options: OAuthOptions): OAuthCredentials {
  checkOptions(options);
  const tokens = new Tokens(options);
  return Object.assign((request: CredentialRequest) => tokens.tokenFor(request), {
    async signIn(client: A2AClient): Promise<void> {
      for (const request of await requestsOf(client)) if (await tokens.tokenFor(request)) return;
      throw new A2AError('UNAUTHENTICATED', 'The agent asks for nothing that a login gives');
    },
    async signOut(url: string | URL): Promise<void> {
      await tokens.forget(new URL(url).origin);
    },
  });
}

class Tokens {
  readonly #options: OAuthOptions;
  readonly #grants: GrantStore;
  readonly #timing: Timing;
  /** The open requests by purpose: calls that come meanwhile wait for the same one. */
  readonly #asking = new Map<string, Promise<Grant | undefined>>();

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#grants = options.grants ?? new MemoryGrants();
    this.#timing = options.timing ?? systemTiming;
  }

  async tokenFor(request: CredentialRequest): Promise<string | undefined> {
    if (!takesTokens(request)) return undefined;
    const { origin } = agentAddress(request.url);
    const scopes = this.#scopesFor(request);
    const usable = await this.#usable(request, scopes);
    if (usable) return usable.accessToken;
    const key = JSON.stringify([origin, scopes, bearerChallenge(request.challenge ?? '').resourceMetadata]);
    const asking = this.#asking.get(key) ?? this.#ask(request, scopes);
    this.#asking.set(key, asking);
    try {
      return (await asking)?.accessToken;
    } finally {
      if (this.#asking.get(key) === asking) this.#asking.delete(key);
    }
  }

  async forget(origin: string): Promise<void> {
    await this.#grants.write(origin, []);
  }

  async #ask(request: CredentialRequest, scopes: readonly string[]): Promise<Grant | undefined> {
    const context = { options: this.#options, timing: this.#timing };
    // A refused token may have been for something else: only grants for what the challenge leads to are worth renewing.
    const found = request.refused === undefined ? undefined : await discovered(request, context);
    const isWorthIt = (grant: Grant) =>
      grant.refreshToken !== undefined && (!found || grant.resource === found.resource);
    if ((await this.#fitting(request, scopes)).some(isWorthIt)) {
      const renewed = await this.#alone(request, () => this.#renew(request, scopes, isWorthIt));
      if (renewed) return renewed;
    }
    const obtained = await obtain(request, scopes, context, found);
    return obtained && this.#keep(request, obtained);
  }

  async #renew(
    request: CredentialRequest,
    scopes: readonly string[],
    isWorthIt: (grant: Grant) => boolean,
  ): Promise<Grant | undefined> {
    // Another process may have renewed it meanwhile.
    const usable = await this.#usable(request, scopes);
    if (usable) return usable;
    for (const grant of (await this.#fitting(request, scopes)).filter(isWorthIt)) {
      const renewed = await renew(grant, request.url, { options: this.#options, timing: this.#timing });
      if (renewed) return this.#keep(request, renewed);
    }
    // A refresh token often works only once, and not every store keeps others from using it.
    return this.#usable(request, scopes);
  }

  #alone<T>({ url }: CredentialRequest, work: () => Promise<T>): Promise<T> {
    return this.#grants.exclusively?.(new URL(url).origin, work) ?? work();
  }

  async #usable(request: CredentialRequest, scopes: readonly string[]): Promise<Grant | undefined> {
    return (await this.#fitting(request, scopes)).find((grant) => this.#isFresh(grant, request));
  }

  async #fitting({ url }: CredentialRequest, scopes: readonly string[]): Promise<readonly Grant[]> {
    const address = new URL(url);
    return (await this.#grants.read(address.origin)).filter((grant) => this.#fits(grant, address, scopes));
  }

  async #keep({ url }: CredentialRequest, grant: Grant): Promise<Grant> {
    const { origin } = new URL(url);
    await this.#grants.write(origin, withGrant(await this.#grants.read(origin), grant));
    return grant;
  }

  /** The scopes that the user set, else those that the agent asks for: its challenge, which may ask for more, or its card. */
  #scopesFor({ scopes, challenge }: CredentialRequest): readonly string[] {
    const asked = bearerChallenge(challenge ?? '').scopes ?? [];
    return (this.#options.scopes ?? [...new Set([...scopes, ...asked])]).toSorted();
  }

  #fits(grant: Grant, url: URL, scopes: readonly string[]): boolean {
    const { clientId, issuer, resource } = this.#options;
    if (grant.clientId !== clientId || (issuer !== undefined && grant.issuer !== issuer)) return false;
    if (typeof resource === 'string' && grant.resource !== resource) return false;
    const isHere =
      typeof resource === 'string' || grant.resource === undefined || belongsTo(url, new URL(grant.resource));
    return isHere && scopes.every((scope) => grant.scopes.includes(scope));
  }

  #isFresh(grant: Grant, { refused }: CredentialRequest): boolean {
    return grant.accessToken !== refused && grant.renewAt > this.#timing.now();
  }
}

function takesTokens({ scheme }: CredentialRequest): boolean {
  if (scheme.type === 'http') return scheme.scheme.toLowerCase() === 'bearer';
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect';
}
