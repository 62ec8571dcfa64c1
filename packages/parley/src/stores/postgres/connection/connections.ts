import { StoreError } from '../../store-error.ts';
import { digestOf } from '../name-digest.ts';
import { loadDriver, numberTypes, type PgModule, type PgPool, type PgPoolClient, type PgResult } from './driver.ts';
import { type FailureKind, isClash, isOfSharedSession, kindOf } from './failures.ts';
import { LongNames } from './long-names.ts';
import { poolUnsaid, sharesSessions } from './pooled.ts';
import type { ConnectionSettings } from './settings.ts';

/**
 * Every statement of this store has its index. A plan that was made while a table was small must not read all of a large one
 * later, so plans are made once, with the indexes. What is switched off is counted as very dear where it cannot be avoided,
 * and Postgres would compile such a statement each time (`jit`), which takes longer than any of them.
 */
const PLANS = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
  SET enable_sort = off; SET jit = off`;

const PAUSES_MS: readonly number[] = [10, 20, 50, 100, 200, 400];
/** A row that another node writes in the same moment is seen by the next attempt; one that clashes more often is there to stay. */
const MOST_CLASHES = 3;
/** Idle connections are closed after this time. */
const IDLE_MS = 60_000;
const CLOSING_MS = 2000;

/** A statement with its cells. */
interface Statement {
  readonly sql: string;
  readonly cells: readonly unknown[];
}

/** Sends a statement of a transaction. */
export type Query = <Row>(
  sql: string,
  cells: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number }>;

/** Told of each failure after which the statement is repeated, or given up. */
type OnFailure = (kind: FailureKind) => void;

interface Change {
  /** The number of rows that were touched. */
  readonly rows: number;
  /** An earlier attempt was lost, and may have been carried out. */
  readonly wasLost: boolean;
}

/**
 * Connections to the database: several for reading and small changes, and one for commits, which are carried out in the order
 * in which they come. A statement that fails with its connection is repeated until `timeout` has passed.
 */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #readers: PgPool;
  readonly #writer: PgPool;
  /** The first statement of each session. Abandoned statements are not carried out either. */
  readonly #session: string;
  readonly #names: Map<string, string> = new Map();
  readonly #prepared: WeakSet<PgPoolClient> = new WeakSet();
  readonly #longNames: LongNames;

  static async open(settings: ConnectionSettings): Promise<Connections> {
    return new Connections(settings, await loadDriver());
  }

  private constructor(settings: ConnectionSettings, driver: PgModule) {
    this.#settings = settings;
    this.#longNames = new LongNames(settings.schema);
    this.#session = `${PLANS}; SET statement_timeout = ${Math.ceil(settings.timeout)}`;
    const makePool = (max: number) => {
      const pool = new driver.Pool({
        connectionString: settings.url,
        max,
        // A statement waits for a connection twice at most.
        connectionTimeoutMillis: Math.ceil(settings.timeout / 2),
        idleTimeoutMillis: IDLE_MS,
        keepAlive: true,
        application_name: 'parley',
        types: numberTypes(driver),
      });
      // A connection that breaks is replaced when the next statement needs one; its own statement is told besides.
      pool.on('error', () => {});
      pool.on('connect', (client) => void client.on('error', () => {}));
      return pool;
    };
    this.#readers = makePool(settings.connections);
    this.#writer = makePool(1);
  }

  /** Refuses a pooler that the settings do not name, as far as it can be told. `client`: one that nobody else uses. */
  async requireSessions(client: PgPoolClient): Promise<void> {
    if (this.#settings.pool === 'transaction') return;
    // The next statement reports a database that fails now.
    const isShared = await this.use((other) => sharesSessions(client, other), this.#writer).catch(() => false);
    if (isShared) throw poolUnsaid(this.#settings);
  }

  /** For statements that may be carried out twice. `onFailure` may change the cells of the next attempt. */
  async read<Row>(sql: string, cells: readonly unknown[] = [], onFailure?: OnFailure): Promise<readonly Row[]> {
    const { rows } = await this.#repeat<Row>(this.#readers, { sql, cells }, onFailure);
    return rows.length === 0 ? rows : this.#longNames.fillIn(rows, this.#plain);
  }

  async change(sql: string, cells: readonly unknown[] = []): Promise<Change> {
    let wasLost = false;
    const { rowCount } = await this.#repeat<never>(this.#readers, { sql, cells }, (kind) => {
      wasLost ||= kind === 'lost';
    });
    return { rows: rowCount ?? 0, wasLost };
  }

  /** Writes names that are too long for an index; before the statement that writes their digests. */
  saveNames(long: ReadonlyMap<string, string>): Promise<void> {
    return this.#longNames.save(long, this.#plain);
  }

  readonly #plain = async <Row>(sql: string, cells: readonly unknown[]): Promise<readonly Row[]> =>
    (await this.#repeat<Row>(this.#readers, { sql, cells })).rows;

  /** Runs a statement on the connection of commits. */
  async commit<Row>(statement: Statement, onFailure: OnFailure): Promise<readonly Row[]> {
    return (await this.#repeat<Row>(this.#writer, statement, onFailure)).rows;
  }

  /** Runs several statements on one connection, which nobody else uses meanwhile. Waits for a server that is not up yet. */
  async use<Result>(work: (client: PgPoolClient) => Promise<Result>, pool = this.#readers): Promise<Result> {
    const client = await this.#persist(() => pool.connect());
    let isBroken = true;
    try {
      const result = await work(client);
      isBroken = false;
      return result;
    } finally {
      client.release(isBroken);
    }
  }

  /** Runs statements that are carried out together or not at all. Not repeated. */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.use(async (client) => {
      await client.query('BEGIN');
      // A transaction that fails is rolled back with its connection, which is not used again.
      const result = await work(async <Row>(text: string, values: readonly unknown[]) => {
        const { rows, rowCount } = await client.query<Row>({ text, values, query_timeout: this.#settings.timeout });
        return { rows, rowCount: rowCount ?? 0 };
      });
      await client.query('COMMIT');
      return result;
    });
  }

  /** Does not wait for a server that no longer responds. */
  async close(): Promise<void> {
    const ended = Promise.all([this.#readers.end(), this.#writer.end()]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSING_MS);
    });
    await Promise.race([ended.catch(() => {}), late]);
    clearTimeout(timer);
  }

  #repeat<Row>(pool: PgPool, statement: Statement, onFailure?: OnFailure): Promise<PgResult<Row>> {
    return this.#persist((timeout) => this.#attempt<Row>(pool, statement, timeout), onFailure);
  }

  /** Repeats an attempt, which is told how long it may take, until one succeeds or fails for good. */
  async #persist<Result>(attempt: (timeout: number) => Promise<Result>, onFailure?: OnFailure): Promise<Result> {
    const until = Date.now() + this.#settings.timeout;
    let clashes = 0;
    for (let count = 0; ; count += 1) {
      try {
        return await attempt(Math.max(1, until - Date.now()));
      } catch (error) {
        const kind = kindOf(error);
        if (kind === 'final') throw isOfSharedSession(error) ? poolUnsaid(this.#settings, error) : error;
        onFailure?.(kind);
        if (isClash(error)) clashes += 1;
        if (clashes > MOST_CLASHES) throw error;
        const pause = PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 0;
        if (Date.now() + pause >= until) throw this.#unreachable(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #attempt<Row>(pool: PgPool, { sql, cells }: Statement, timeout: number): Promise<PgResult<Row>> {
    const client = await pool.connect();
    let isBroken = true;
    try {
      if (this.#settings.pool === 'session' && !this.#prepared.has(client)) {
        await client.query({ text: this.#session, query_timeout: timeout });
        this.#prepared.add(client);
      }
      const name = this.#settings.pool === 'session' ? this.#nameOf(sql) : undefined;
      const result = await client.query<Row>({ text: sql, name, values: cells, query_timeout: timeout });
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = kindOf(error) === 'lost';
      throw error;
    } finally {
      // A server that does not respond would not see a farewell either.
      if (isBroken) client.connection?.stream?.destroy();
      client.release(isBroken);
    }
  }

  /** The name under which a session keeps a statement: the same in all processes, and no other statement has it. */
  #nameOf(sql: string): string {
    let name = this.#names.get(sql);
    if (name === undefined) {
      name = `parley_${digestOf(sql)}`;
      this.#names.set(sql, name);
    }
    return name;
  }

  #unreachable(cause: unknown): StoreError {
    const { name, timeout } = this.#settings;
    const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
    return new StoreError('UNREACHABLE', `The database ${name} could not be used for ${timeout} ms${why}.`, cause);
  }
}
