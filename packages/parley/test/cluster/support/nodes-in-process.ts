import { A2AServer, memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { type ClusterLogEntry, type ClusterReport, checkClusterLog } from 'parley-a2a/testing';
import { localBus } from '../../../src/bus/local.ts';
import { STORE_METHODS, withStore } from '../../../src/stores/with-store.ts';
import { Line } from '../../../src/testing/line.ts';
import { pause } from '../../support/script.ts';
import { CLUSTER_AGENTS } from './agents.ts';
import { withCommitLog } from './commit-log.ts';
import type { Sabotage } from './sabotage.ts';
import { Work } from './work.ts';

const LEASE_MS = 900;
const TASKS = 12;

/** What befalls the first node: it stands still for longer than its lease, or it dies. */
export type Mishap = 'pause' | 'death';

export interface InProcessOptions {
  readonly mishap: Mishap;
  readonly sabotage?: Sabotage | undefined;
  /** Clients give up after so many milliseconds, where nobody may ever answer them. Default: never. */
  readonly patience?: number | undefined;
}

/** Two nodes in this process; the first one has a mishap while its tasks are at work. All that happened is checked. */
export async function runInProcess({ mishap, sabotage, patience }: InProcessOptions): Promise<ClusterReport> {
  const entries: ClusterLogEntry[] = [];
  const log = (entry: ClusterLogEntry) => void entries.push(entry);
  const shared = memory({ shared: true });
  const gate = new Gate(shared);
  const bus = localBus();
  const serve = (name: string, inner: Store) =>
    new A2AServer({
      agents: CLUSTER_AGENTS,
      store: withCommitLog(sabotage ? sabotage(inner) : inner, name, log),
      bus,
      limits: { leaseLifetime: LEASE_MS, heartbeatInterval: LEASE_MS / 3, pollInterval: 50 },
      drainTimeout: 0,
      log: { warn: () => {}, error: () => {} },
    });
  const nodes = [serve('first', gate.store), serve('second', shared)] as const;
  const lines = nodes.map((node) => new Line((request) => node.fetch(request)));
  let current = 0;
  const client = {
    fetch: ((input, init) => (lines[current] as Line).fetch(input, init)) as typeof fetch,
    ...(patience !== undefined && { signal: AbortSignal.timeout(patience) }),
  };
  const work = new Work({ url: 'http://cluster.test', log, seed: 19, atOnce: TASKS, goesOn: (n) => n < TASKS, client });
  const working = work.run();
  while (entries.filter(({ kind }) => kind === 'event').length < TASKS * 8) await pause(5);
  gate.close();
  current = 1;
  lines[0]?.cut();
  if (mishap === 'pause') {
    await pause(LEASE_MS * 3);
    gate.open();
  }
  await working;
  await work.look();
  const report = await checkClusterLog(() => entries);
  gate.open();
  for (const node of nodes) await node.close();
  return report;
}

/** A store whose calls wait while it is closed, as those of a process that stands still. */
class Gate {
  readonly store: Store;
  #closed: PromiseWithResolvers<void> | undefined;

  constructor(inner: Store) {
    const guard =
      (call: (...values: unknown[]) => unknown) =>
      async (...values: unknown[]) => {
        await this.#passage();
        const result = await call(...values);
        // The process hears of it when it goes on.
        await this.#passage();
        return result;
      };
    const calls = STORE_METHODS.map((name) => [name, guard(inner[name].bind(inner) as never)]);
    this.store = withStore(inner, Object.fromEntries(calls));
  }

  close(): void {
    this.#closed ??= Promise.withResolvers();
  }

  async #passage(): Promise<void> {
    while (this.#closed) await this.#closed.promise;
  }

  open(): void {
    this.#closed?.resolve();
    this.#closed = undefined;
  }
}
