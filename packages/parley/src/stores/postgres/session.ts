import { Connections } from './connection/connections.ts';
import { refusal } from './connection/failures.ts';
import type { ConnectionSettings } from './connection/settings.ts';
import { FollowerReader } from './read/follower-reader.ts';
import { nodeStatements } from './read/node-statements.ts';
import { Reader } from './read/reader.ts';
import { migrate } from './schema/migrate.ts';
import { MIGRATIONS, type Migration } from './schema/migrations.ts';
import { postgresDialect, quoted } from './sql.ts';
import { Commits } from './write/commits.ts';
import { FollowerWriter } from './write/follower-writer.ts';
import { RateCounts } from './write/rate-counts.ts';
import { Trim } from './write/trim.ts';
import { PostgresTurnQueue } from './write/turn-queue.ts';
import { Upkeep } from './write/upkeep.ts';

/** Writers of counts that do not wait for each other. */
const STRIPES = 64;

const TIME = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time';

/** An open database. */
export class Session {
  readonly #connections: Connections;
  readonly #heartbeat: string;
  readonly #probe: string;
  readonly reader: Reader;
  readonly followers: FollowerReader;
  readonly followerWriter: FollowerWriter;
  readonly commits: Commits;
  readonly upkeep: Upkeep;
  readonly queue: PostgresTurnQueue;
  readonly trim: Trim;
  readonly rates: RateCounts;

  /** Connects, and brings the schema up to date. Refuses with a `StoreError` and leaves nothing open. */
  static async open(settings: ConnectionSettings, steps: readonly Migration[] = MIGRATIONS): Promise<Session> {
    const connections = await Connections.open(settings);
    try {
      await connections.use(async (client) => {
        await connections.requireSessions(client);
        await migrate(client, settings, steps);
      });
      return new Session(connections, settings.schema);
    } catch (error) {
      await connections.close();
      throw refusal(settings, error);
    }
  }

  private constructor(connections: Connections, schema: string) {
    const dialect = postgresDialect(schema);
    const stripe = Math.floor(Math.random() * STRIPES);
    this.#connections = connections;
    this.#heartbeat = nodeStatements(schema).heartbeat;
    this.#probe = `UPDATE ${quoted(schema)}.schema_version SET version = version`;
    this.reader = new Reader(connections, schema);
    this.followers = new FollowerReader(connections, dialect);
    this.followerWriter = new FollowerWriter(connections, dialect);
    this.commits = new Commits(connections, schema, stripe);
    this.upkeep = new Upkeep(connections, schema, stripe);
    this.queue = new PostgresTurnQueue(connections, schema);
    this.trim = new Trim(connections, dialect);
    this.rates = new RateCounts(connections, schema);
  }

  async heartbeat(node: string, until: number): Promise<void> {
    await this.#connections.change(this.#heartbeat, [node, until]);
  }

  async time(): Promise<number> {
    const [row] = await this.#connections.read<{ readonly time: number }>(TIME);
    return row?.time ?? Date.now();
  }

  async probe(): Promise<void> {
    await this.#connections.change(this.#probe);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}
