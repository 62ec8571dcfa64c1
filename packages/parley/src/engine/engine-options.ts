import type { IdSource } from '../model/basics/uuid.ts';
import type { EngineLimits } from './limits.ts';
import type { StatusMessageRule } from './log/task-fold.ts';
import type { Retention } from './node/retention.ts';
import type { Bus, Clock, Logger, Store, Vault } from './ports.ts';
import type { NodeRole } from './queue/node-role.ts';
import type { Runner } from './turn/runner.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly bus: Bus;
  readonly runners: readonly Runner[];
  readonly log: Logger;
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Times to keep things, in milliseconds. Default: conversations and keys a day, the rest for ever. */
  readonly retention?: Partial<Retention> | undefined;
  /** Milliseconds for which runs may go on when the engine is closed. Default 10 s. */
  readonly drainTimeout?: number | undefined;
  /** Default `agent`. */
  readonly statusMessage?: StatusMessageRule | undefined;
  readonly clock?: Clock | undefined;
  readonly newId?: IdSource | undefined;
  /** Writes a batch to the store. Default: the store's own `commit`. */
  readonly commit?: Store['commit'] | undefined;
  /** Default `all`. */
  readonly role?: NodeRole | undefined;
  /** Encrypts the secrets of journals. Default: journals keep none. */
  readonly vault?: Vault | undefined;
}
