import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterLogEntry } from 'parley-a2a/testing';
import { type NatsServer, startNats } from '../../support/nats/nats-server.ts';
import { type Pooler, startPooler } from '../../support/postgres/pooler.ts';
import { openPostgres, type TestPostgres } from '../../support/postgres/postgres.ts';
import { pause } from '../../support/script.ts';
import { Balancer } from './balancer.ts';
import { auditCommits, readCommits } from './commit-audit.ts';
import { ClusterNode } from './node.ts';
import { Relay } from './relay.ts';

export interface ClusterOptions {
  readonly nodes?: number | undefined;
  /** Default: `postgres`. */
  readonly bus?: 'postgres' | 'nats' | undefined;
  /** Milliseconds. */
  readonly lease?: number | undefined;
  readonly drainTimeout?: number | undefined;
  /** Default: a server of its own. */
  readonly postgres?: ClusterDatabase | undefined;
  /** The nodes reach the database through PgBouncer, for one transaction at a time. */
  readonly isPooled?: boolean | undefined;
}

/** The database of a cluster, which ends with it. A `url` that changes is that of the next connection. */
export type ClusterDatabase = Pick<TestPostgres, 'url' | 'stop'> & Partial<Pick<TestPostgres, 'restart'>>;

/** So often a node is started again that does not come up. */
const MOST_STARTS = 10;

/** A place for a node: its processes come and go, its way to the database stays. */
interface Place {
  node: ClusterNode;
  /** How many processes there were. */
  lives: number;
  readonly database: Relay;
  readonly url: string;
  /** Its process was killed, and the next one does not listen yet. */
  isEmpty?: boolean | undefined;
}

/** Nodes as processes on one Postgres server, behind a balancer. */
export class Cluster {
  readonly url: string;
  readonly balancer: Balancer;
  readonly postgres: ClusterDatabase;
  readonly #nats: NatsServer | undefined;
  readonly #pooler: Pooler | undefined;
  readonly #folder: string;
  readonly #options: Required<{ readonly [Name in 'nodes' | 'lease' | 'drainTimeout']: number }>;
  readonly #places: Place[] = [];
  #restarting: Promise<void> = Promise.resolve();

  private constructor(
    url: string,
    balancer: Balancer,
    postgres: ClusterDatabase,
    nats: NatsServer | undefined,
    pooler: Pooler | undefined,
    options: ClusterOptions,
  ) {
    this.url = url;
    this.balancer = balancer;
    this.postgres = postgres;
    this.#nats = nats;
    this.#pooler = pooler;
    this.#options = {
      nodes: options.nodes ?? 3,
      lease: options.lease ?? 3000,
      drainTimeout: options.drainTimeout ?? 1000,
    };
    this.#folder = mkdtempSync(join(tmpdir(), 'parley-cluster-'));
  }

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const balancer = new Balancer();
    const [url, postgres, nats] = await Promise.all([
      balancer.listen(),
      options.postgres ?? openPostgres({ isDurable: true }),
      options.bus === 'nats' ? startNats() : undefined,
    ]);
    const pooler = options.isPooled ? await startPooler(postgres.url) : undefined;
    const cluster = new Cluster(url, balancer, postgres, nats, pooler, options);
    try {
      for (let place = 0; place < cluster.#options.nodes; place += 1) await cluster.#addPlace();
      for (const [place, { node }] of cluster.#places.entries()) {
        // On a busy machine the first one may not come up in time either.
        await cluster.#join(node).catch(() => {
          node.wasEnded = true;
          return cluster.begin(place);
        });
      }
      await auditCommits(postgres.url);
      await cluster.#untilReady();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get nodes(): readonly ClusterNode[] {
    return this.#places.map(({ node }) => node);
  }

  get lease(): number {
    return this.#options.lease;
  }

  /** All writes of tasks, as the database has seen them. */
  commits(): AsyncGenerator<ClusterLogEntry, void, void> {
    return readCommits(this.postgres.url);
  }

  /** A file of this run for something else. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** The way of a node to the database. */
  databaseOf(place: number): Relay {
    return this.#at(place).database;
  }

  /** Ends the process of a node. */
  async end(place: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { node } = this.#at(place);
    this.#note(node);
    const port = await node.port;
    // An orderly end tells the balancer by itself: `/readyz` fails first.
    const code = await node.end(signal);
    this.balancer.remove(port);
    return code;
  }

  /**
   * Starts another process in the place of a node; resolves when it listens. One that finds no database or bus ends with an
   * error, and is started again, as supervisors do.
   */
  async begin(place: number): Promise<void> {
    const at = this.#at(place);
    for (let attempt = 1; ; attempt += 1) {
      at.lives += 1;
      at.node = this.#spawn(place, at.lives, at.url);
      try {
        return await this.#join(at.node);
      } catch (error) {
        if (attempt === MOST_STARTS) throw error;
        at.node.wasEnded = true;
      }
    }
  }

  /** Kills a node and starts another in its place. Where there is none at the moment, there is nothing to kill. */
  async replace(place: number, after: number): Promise<void> {
    const at = this.#at(place);
    if (at.isEmpty) return;
    at.isEmpty = true;
    await this.end(place, 'SIGKILL');
    await pause(after);
    await this.begin(place);
    at.isEmpty = false;
  }

  /** Restarts the database: one restart after the other. */
  restartDatabase(mode: 'fast' | 'immediate'): Promise<void> {
    const { restart } = this.postgres;
    if (!restart) throw new TypeError('The database of this cluster cannot be restarted');
    this.#restarting = this.#restarting.then(() => restart(mode));
    return this.#restarting;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#places.map(async ({ node, database }) => {
        node.signal('SIGCONT');
        await node.end('SIGKILL');
        await database.close();
      }),
    );
    await this.balancer.close();
    await this.#nats?.kill();
    await this.#pooler?.stop();
    await this.postgres.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Nodes whose processes ended by themselves, with their last words. */
  readonly crashes: string[] = [];

  #note({ hasCrashed, name, lines }: ClusterNode): void {
    if (hasCrashed) this.crashes.push(`Node ${name} ended by itself: ${lines.slice(-40).join('\n')}`);
  }

  /** Looks for nodes that ended by themselves. */
  lookForCrashes(): readonly string[] {
    for (const node of this.nodes) this.#note(node);
    return this.crashes;
  }

  /** The last lines of all nodes, for whoever looks for the cause of a failure. */
  get lines(): string {
    return this.nodes.flatMap(({ name, lines }) => lines.slice(-15).map((line) => `${name}: ${line}`)).join('\n');
  }

  async #addPlace(): Promise<void> {
    const target = () => new URL(this.#pooler?.url ?? this.postgres.url);
    const database = new Relay(() => Number(target().port));
    const url = target();
    if (this.#pooler) url.searchParams.set('pool', 'transaction');
    url.port = String(await database.listen());
    const place = this.#places.length;
    this.#places.push({ node: this.#spawn(place, 1, url.href), lives: 1, database, url: url.href });
  }

  #spawn(place: number, life: number, database: string): ClusterNode {
    const name = `n${place + 1}.${life}`;
    const { lease, drainTimeout } = this.#options;
    return new ClusterNode({ name, database, bus: this.#nats?.url, lease, drainTimeout });
  }

  async #join(node: ClusterNode): Promise<void> {
    const port = await node.port;
    if (port > 0) this.balancer.add(port);
    else if (!node.wasEnded) throw new Error(`Node ${node.name} did not start: ${node.lines.join('\n')}`);
  }

  /** The first requests are not refused because the balancer has not looked yet. */
  async #untilReady(): Promise<void> {
    while (this.balancer.ready < this.nodes.length) {
      const [crash] = this.lookForCrashes();
      if (crash !== undefined) throw new Error(crash);
      await pause(20);
    }
  }

  #at(place: number): Place {
    const found = this.#places[place];
    if (!found) throw new RangeError(`There is no node ${place}`);
    return found;
  }
}
