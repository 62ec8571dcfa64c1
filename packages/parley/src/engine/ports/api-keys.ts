import type { Awaitable } from './awaitable.ts';

/** An API key as it is kept: everything but the key itself. */
export interface ApiKeyRecord {
  readonly id: string;
  /** As `hash` of a key of `apiKeys()`; stores do not look into it. */
  readonly hash: string;
  readonly subject: string;
  /** The tenant that the key belongs to. A store that lost it would let the key's caller name any tenant. */
  readonly tenant?: string | undefined;
  readonly scopes: readonly string[];
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
}

/** API keys of callers. Another program may add and remove them while a server uses the store. */
export interface ApiKeyFacet {
  apiKey(id: string): Awaitable<ApiKeyRecord | undefined>;
  /** By id, in an order of the store's own that never changes. */
  listApiKeys(): Awaitable<readonly ApiKeyRecord[]>;
  /** Returns false, and writes nothing, if the id is taken. */
  addApiKey(record: ApiKeyRecord): Awaitable<boolean>;
  /** Returns whether it was there. */
  removeApiKey(id: string): Awaitable<boolean>;
}
