import { postgresBus as busOf } from '../../bus/postgres/postgres-bus.ts';
import type { Bus, Store } from '../../engine/ports.ts';
import { ofKind } from '../../model/basics/store-kind.ts';
import { anything, type Checks, called, checkOptions, text } from '../../model/options/checks.ts';
import { type PoolMode, readSettings } from './connection/settings.ts';
import { PostgresStore } from './store.ts';

export type { PoolMode };

export interface PostgresOptions {
  /**
   * The schema of the tables; the store creates it if it does not exist. Default `parley`, or `?schema=` of the URL.
   */
  readonly schema?: string | undefined;
  /**
   * `transaction` behind a pooler that assigns a connection for one transaction: the store then prepares no named
   * statements and relies on no session. Default `session`, or `?pool=` of the URL.
   */
  readonly pool?: PoolMode | undefined;
  /** The most connections for reading; commits use one more. Default 4, or `?connections=` of the URL. */
  readonly connections?: number | undefined;
  /**
   * Milliseconds for which the store retries a read or a commit, across lost connections and restarts. Default 4000, or
   * `?timeout=` of the URL.
   */
  readonly timeout?: number | undefined;
  /** The clock that decides which idempotency keys have expired. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The settings that an address may have as well are looked at together with it. */
const OPTIONS: Checks<PostgresOptions> = {
  schema: text,
  pool: anything,
  connections: anything,
  timeout: anything,
  now: called,
};
const { schema, pool } = OPTIONS;
const BUS_OPTIONS: Checks<Pick<PostgresOptions, 'schema' | 'pool'>> = { schema, pool };

/**
 * Tasks in a Postgres database (13 or newer), which any number of nodes share. Needs the package `pg`. The tables are made,
 * and brought up to date, when the store is opened.
 *
 * @example
 * const store = postgres('postgres://parley:secret@db.example.com/agents');
 */
export function postgres(url: string, options: PostgresOptions = {}): Store {
  checkOptions('postgres', options, OPTIONS);
  return ofKind(new PostgresStore(readSettings(url, options), options.now ?? Date.now), 'postgres');
}

/**
 * The bus of a Postgres database alone: notices of commits and commands between nodes by LISTEN and NOTIFY. Servers with
 * `postgres(url)` have it unless they are handed another one.
 */
export function postgresBus(url: string, options: Pick<PostgresOptions, 'schema' | 'pool'> = {}): Bus {
  checkOptions('postgresBus', options, BUS_OPTIONS);
  return busOf(readSettings(url, options));
}
