import { StoreError } from '../../store-error.ts';

/** The ways in which a database session may be used. */
export type PoolMode = 'session' | 'transaction';

export interface ConnectionSettings {
  /** For `pg`: without the parameters that are this store's own. */
  readonly url: string;
  /** For messages: without the password. */
  readonly name: string;
  readonly schema: string;
  readonly pool: PoolMode;
  readonly connections: number;
  readonly timeout: number;
}

interface ConnectionOptions {
  readonly schema?: string | undefined;
  readonly pool?: PoolMode | undefined;
  readonly connections?: number | undefined;
  readonly timeout?: number | undefined;
}

const DEFAULT_SCHEMA = 'parley';
const DEFAULT_CONNECTIONS = 4;
const DEFAULT_TIMEOUT_MILLISECONDS = 4000;
const LONGEST_NAME = 63;

/** Parameters of the URL that `pg` must not see. */
const OWN_PARAMETERS = ['pool', 'schema', 'connections', 'timeout'] as const;

/** Reads a URL and options; an option wins over a parameter of the URL. Refuses what cannot be meant. */
export function readSettings(text: string, options: ConnectionOptions): ConnectionSettings {
  const url = parse(text);
  const parameters = url.searchParams;
  const pool = options.pool ?? parameters.get('pool') ?? 'session';
  const schema = options.schema ?? parameters.get('schema') ?? DEFAULT_SCHEMA;
  const connections = options.connections ?? numberOf(parameters.get('connections')) ?? DEFAULT_CONNECTIONS;
  const timeout = options.timeout ?? numberOf(parameters.get('timeout')) ?? DEFAULT_TIMEOUT_MILLISECONDS;
  for (const parameter of OWN_PARAMETERS) parameters.delete(parameter);
  const name = `${url.host}${url.pathname}`;
  if (pool !== 'session' && pool !== 'transaction') throw refusal(`pool is session or transaction, not ${pool}`);
  if (schema === '' || new TextEncoder().encode(schema).length > LONGEST_NAME || schema.includes('\0')) {
    throw refusal(`schema is a name of 1 to ${LONGEST_NAME} bytes`);
  }
  if (!Number.isInteger(connections) || connections < 1) throw refusal('connections is a whole number from 1 on');
  if (!Number.isFinite(timeout) || timeout <= 0) throw refusal('timeout is a number of milliseconds above 0');
  return { url: url.href, name, schema, pool, connections, timeout };
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return url;
  throw refusal('the address has the form postgres://user:password@host:5432/database');
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text);
}

function refusal(why: string): StoreError {
  return new StoreError('BAD_ADDRESS', `The Postgres store cannot be used like this: ${why}.`);
}
