import type { Awaitable, CommitResult, PurgeQuery, TrimQuery, TrimResult } from '../../../engine/ports.ts';
import type { ApiKeyChange } from '../../sql/api-keys.ts';
import type { ShareRows } from '../../sql/context-members.ts';
import type { EntryRows } from '../../sql/entry-rows.ts';
import type { FollowerChange } from '../../sql/follower-rows.ts';
import type { WriteSettings } from '../file/connections.ts';

/** The store's access to its writer: on the loop (`Writer` itself) or on a thread (`ThreadWriter`). */
export interface WriteAccess {
  commit(entries: readonly EntryRows[], now: number): Awaitable<readonly CommitResult[]>;
  purge(query: PurgeQuery): Awaitable<readonly string[]>;
  trim(query: TrimQuery): Awaitable<TrimResult>;
  /** Writes push configs and cursors; true if a row was written or removed. */
  follow(change: FollowerChange): Awaitable<boolean>;
  /** True if a key was added or removed. */
  changeApiKeys(change: ApiKeyChange): Awaitable<boolean>;
  /** Returns `shared`, `unknown`, or `taken` and the member that has a context of that id already. */
  share(rows: ShareRows): Awaitable<readonly string[]>;
  /** Removes a part of what has run out; true if there may be more. */
  sweep(now: number): Awaitable<boolean>;
  /** See Store. */
  probe(): Awaitable<void>;
  close(): Awaitable<void>;
}

/** A request of the loop to the thread. Responses come in the order of the requests. */
export type WriteRequest =
  | { readonly kind: 'commit'; readonly entries: readonly EntryRows[]; readonly now: number }
  | { readonly kind: 'purge'; readonly query: PurgeQuery }
  | { readonly kind: 'trim'; readonly query: TrimQuery }
  | { readonly kind: 'follow'; readonly changes: readonly FollowerChange[] }
  | { readonly kind: 'change-api-keys'; readonly change: ApiKeyChange }
  | { readonly kind: 'share'; readonly rows: ShareRows }
  | { readonly kind: 'sweep'; readonly now: number }
  | { readonly kind: 'probe' }
  | { readonly kind: 'close' };

/** An error does not survive being posted as it is: the members that SQLite's errors have would be lost. */
export interface WriteFailure {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The results of a commit, the ids of what was purged, the next place of a trim ('' for none) and the ids of what was trimmed, the kind of each change that was made and '' for others, or nothing. */
export type WriteAnswer =
  | { readonly results: readonly string[]; readonly failure?: undefined }
  | { readonly failure: WriteFailure };

/** The settings of a writer thread. */
export interface ThreadSettings extends WriteSettings {
  readonly file: string;
}
