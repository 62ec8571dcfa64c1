import type { Client } from 'pg';
import type { KeptConnection } from '../carried/connection-keeper.ts';
import { loadDriver } from './load-driver.ts';
import { digestOf } from './names.ts';

/** Milliseconds for a connection, and for a statement on it. */
const TIMEOUT = 4_000;
/** Milliseconds between two questions whether the connection still stands. */
const PROBE_INTERVAL = 5_000;
const NAME_LENGTH = 32;

interface LinkOptions {
  readonly url: string;
  readonly session: string;
  /** Statements have names, which a session keeps. */
  readonly isSession: boolean;
  readonly notified: (channel: string, payload: string) => void;
}

/** One connection to the database, which is the bus's own. Statements follow each other. */
export class DatabaseLink implements KeptConnection {
  readonly ended: Promise<unknown>;
  readonly #client: Client;
  readonly #isSession: boolean;
  readonly #names = new Map<string, string>();
  /** The statement that is under way, and those that wait for it. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #end: (error?: unknown) => void;
  readonly #probe: ReturnType<typeof setInterval>;

  static async open(options: LinkOptions): Promise<DatabaseLink> {
    const { Client } = await loadDriver();
    const client = new Client({
      connectionString: withoutName(options.url),
      application_name: options.session,
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      keepAlive: true,
    });
    const link = new DatabaseLink(client, options);
    try {
      await client.connect();
      return link;
    } catch (error) {
      link.#end(error);
      throw error;
    }
  }

  private constructor(client: Client, { isSession, notified }: LinkOptions) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#client = client;
    this.#isSession = isSession;
    this.ended = promise;
    this.#end = (error) => {
      clearInterval(this.#probe);
      resolve(error);
    };
    client.on('error', (error) => this.#end(error));
    client.on('end', () => this.#end());
    client.on('notification', ({ channel, payload = '' }) => notified(channel, payload));
    this.#probe = setInterval(() => void this.run('SELECT 1').catch(() => {}), PROBE_INTERVAL);
    this.#probe.unref();
  }

  /** Returns the rows. A connection on which a statement does not end in time is given up. */
  run<Row extends object = object>(sql: string, cells: readonly unknown[] = []): Promise<readonly Row[]> {
    const result = this.#last.then(() => this.#run<Row>(sql, cells));
    this.#last = result.catch(() => {});
    return result;
  }

  async #run<Row extends object>(sql: string, cells: readonly unknown[]): Promise<readonly Row[]> {
    const name = this.#isSession && cells.length > 0 ? this.#nameOf(sql) : undefined;
    try {
      const result = await this.#client.query<Row>({ text: sql, values: [...cells], ...(name && { name }) });
      return result.rows;
    } catch (error) {
      if (isOfConnection(error)) this.#abandon(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#probe);
    const patience = new Promise<void>((resolve) => void setTimeout(resolve, TIMEOUT).unref());
    await Promise.race([this.#last.then(() => this.#client.end()).catch(() => {}), patience]);
  }

  /** The same in all processes, and no other statement has it. */
  #nameOf(sql: string): string {
    let name = this.#names.get(sql);
    if (name === undefined) {
      name = `parley_bus_${digestOf(sql).slice(0, NAME_LENGTH)}`;
      this.#names.set(sql, name);
    }
    return name;
  }

  /** A server that does not respond would not see a farewell either. */
  #abandon(error: unknown): void {
    const { connection } = this.#client as unknown as { readonly connection?: { stream?: { destroy(): void } } };
    connection?.stream?.destroy();
    this.#end(error);
  }
}

/** `pg` prefers the name of the URL. A node knows its earlier session by the name, so that this one has its own. */
function withoutName(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('application_name');
  return url.href;
}

/** Errors of the server have a condition; those of the network and the timeouts of the driver have none. */
function isOfConnection(error: unknown): boolean {
  return !(error instanceof Error && 'severity' in error);
}
