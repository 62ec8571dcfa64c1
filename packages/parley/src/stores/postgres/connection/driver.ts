import { StoreError } from '../../store-error.ts';

/** The part of `pg` that this store uses, so that the types of the package do not need those of `pg`. */
export interface PgModule {
  readonly Pool: new (settings: PgSettings) => PgPool;
  readonly Client: new (settings: PgSettings) => PgClient;
  readonly types: { getTypeParser(oid: number, format?: string): (value: string) => unknown };
}

interface PgSettings {
  readonly connectionString: string;
  readonly max?: number;
  readonly connectionTimeoutMillis: number;
  readonly idleTimeoutMillis?: number;
  readonly allowExitOnIdle?: boolean;
  readonly keepAlive?: boolean;
  readonly application_name?: string;
  readonly options?: string;
  readonly types?: object;
}

interface PgQuery {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly query_timeout?: number | undefined;
}

export interface PgResult<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
}

interface PgClient {
  query<Row>(query: PgQuery | string): Promise<PgResult<Row>>;
  connect(): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'notification', listener: (message: { readonly payload?: string }) => void): unknown;
}

export interface PgPoolClient extends PgClient {
  /** `true` closes the connection, as one in an unknown state. */
  release(isBroken?: boolean): void;
  readonly connection?: { readonly stream?: { destroy(): void } };
}

export interface PgPool {
  connect(): Promise<PgPoolClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: PgClient) => void): unknown;
}

const BIGINT = 20;

/** Loads `pg`, an optional peer of the package. */
export async function loadDriver(): Promise<PgModule> {
  try {
    const module = await import('pg');
    return module.default as unknown as PgModule;
  } catch (error) {
    throw new StoreError('NO_DRIVER', 'Tasks in Postgres need the package pg: npm install pg', error);
  }
}

/** Reads numbers of eight bytes as numbers: seqs and times are far below what a number holds exactly. */
export function numberTypes(driver: PgModule): object {
  const getTypeParser = (oid: number, format?: string) =>
    oid === BIGINT && format !== 'binary' ? Number : driver.types.getTypeParser(oid, format);
  return { getTypeParser };
}
