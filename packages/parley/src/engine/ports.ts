/** The ports of the engine: what it asks of the world, and what others implement. */
export type { ApiKeyFacet, ApiKeyRecord } from './ports/api-keys.ts';
export type { Awaitable } from './ports/awaitable.ts';
export type { Bus, BusReply, Notice, NoticeListener } from './ports/bus.ts';
export type { Clock } from './ports/clock.ts';
export type {
  CommitEntry,
  CommitResult,
  ContextChange,
  JournalEntry,
  KeyRecord,
  ReplyCommit,
  TaskCommit,
} from './ports/commit.ts';
export type {
  CursorFacet,
  CursorRecord,
  PushConfigDraft,
  PushConfigFacet,
  PushConfigPlace,
  PushConfigQuery,
  PushConfigRecord,
} from './ports/followers.ts';
export type { KeptValueFacet } from './ports/kept-values.ts';
export type { Logger } from './ports/logger.ts';
export type {
  ListCursor,
  ListQuery,
  ListResult,
  LoadDetail,
  PurgeQuery,
  ReadLimit,
  TrimmedPart,
  TrimQuery,
  TrimResult,
} from './ports/queries.ts';
export type { ClaimedTurn, QueuedTurn, QueueFacet, QueueState, TurnClaim } from './ports/queue.ts';
export type { RateCount, RateFacet } from './ports/rates.ts';
export type {
  ContextFacet,
  JournalFacet,
  KeyFacet,
  LogFacet,
  NodeFacet,
  SharedContext,
  ShareResult,
  Store,
} from './ports/store.ts';
export type { ArtifactBody, KeyScope, Lease, Owner, StoredTask, TaskHead } from './ports/task-head.ts';
export type { Vault } from './ports/vault.ts';
