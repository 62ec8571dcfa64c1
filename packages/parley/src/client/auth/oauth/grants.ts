import type { Awaitable } from '../../options.ts';

/** The grant of an authorization server for one agent: enough to use it, and to renew it without a person. */
export interface Grant {
  /** The authorization server: its issuer, or the address for tokens where no issuer is known. */
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  /** The resource that the token is for (RFC 8707). */
  readonly resource: string | undefined;
  /** The scopes that were asked for. */
  readonly scopes: readonly string[];
  readonly accessToken: string;
  /** When it is nearly over, in milliseconds since the epoch. */
  readonly renewAt: number;
  readonly refreshToken?: string | undefined;
}

/** Keeps grants by the origin of the agent that they are for. */
export interface GrantStore {
  read(origin: string): Awaitable<readonly Grant[]>;
  /** Takes the place of all that is kept for the origin. */
  write(origin: string, grants: readonly Grant[]): Awaitable<void>;
  /** Does something while no other process renews what is granted for the origin, where several processes share the store. */
  exclusively?<T>(origin: string, work: () => Promise<T>): Promise<T>;
}

/** Challenges name scopes and resources, so servers decide how many grants there are; the oldest ones go. */
const MOST_GRANTS = 16;
const MOST_ORIGINS = 1000;

/** Keeps grants as long as the program runs. */
export class MemoryGrants implements GrantStore {
  readonly #grants = new Map<string, readonly Grant[]>();

  read(origin: string): readonly Grant[] {
    return this.#grants.get(origin) ?? [];
  }

  write(origin: string, grants: readonly Grant[]): void {
    this.#grants.delete(origin);
    const [oldest] = this.#grants.keys();
    if (this.#grants.size >= MOST_ORIGINS && oldest !== undefined) this.#grants.delete(oldest);
    if (grants.length > 0) this.#grants.set(origin, grants);
  }
}

/** The grants with one more, which replaces an earlier one for the same purpose. */
export function withGrant(grants: readonly Grant[], granted: Grant): readonly Grant[] {
  const purpose = purposeOf(granted);
  return [granted, ...grants.filter((grant) => purposeOf(grant) !== purpose)].slice(0, MOST_GRANTS);
}

/** Grants are told apart by issuer, client, resource and scopes. */
function purposeOf({ issuer, clientId, resource, scopes }: Grant): string {
  return JSON.stringify([issuer, clientId, resource ?? '', scopes.toSorted()]);
}
