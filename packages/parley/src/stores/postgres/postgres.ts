import { postgresBus as busOf } from '../../bus/postgres/postgres-bus.ts';
import type { Bus, Store } from '../../engine/ports.ts';
import { ofKind } from '../../model/basics/store-kind.ts';
import { type PoolMode, readSettings } from './connection/settings.ts';
import { PostgresStore } from './store.ts';

export type { PoolMode };

export interface PostgresOptions {
  /** The schema in which the tables are; it is made if there is none. Default `parley`, or `?schema=` of the URL. */
  readonly schema?: string | undefined;
  /**
   * `transaction` behind a pooler that hands out its connections for one transaction each: no statement is prepared under a
   * name, and nothing depends on a session. Default `session`, or `?pool=` of the URL.
   */
  readonly pool?: PoolMode | undefined;
  /** The most connections for reading; commits have one more. Default 4, or `?connections=` of the URL. */
  readonly connections?: number | undefined;
  /**
   * Milliseconds for which a read or a commit is tried, over connections that are lost and a server that restarts, before
   * it is refused. Default 4000, or `?timeout=` of the URL.
   */
  readonly timeout?: number | undefined;
  /** Tells a commit which idempotency keys have run out. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Tasks in a Postgres database (13 or newer), which any number of nodes share. Needs the package `pg`. The tables are made,
 * and brought up to date, when the store is opened.
 *
 * @example
 * const store = postgres('postgres://parley:secret@db.example.com/agents');
 */
export function postgres(url: string, options: PostgresOptions = {}): Store {
  return ofKind(new PostgresStore(readSettings(url, options), options.now ?? Date.now), 'postgres');
}

/**
 * The bus of a Postgres database alone: notices of commits and commands between nodes by LISTEN and NOTIFY. Servers with
 * `postgres(url)` have it unless they are handed another one.
 */
export function postgresBus(url: string, options: Pick<PostgresOptions, 'schema' | 'pool'> = {}): Bus {
  return busOf(readSettings(url, options));
}
