import { join } from 'node:path';
import { A2AServer, type A2AServerOptions, defineAgent, memory, text } from 'parley-a2a';
import { jwt } from 'parley-a2a/auth';
import type { Store } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { TOKENS } from '../load/token.ts';
import type { Question, SettingKind } from './protocol.ts';
import { runScript } from './script.ts';

const AGENT = 'bench';
const SEED_BATCH = 1000;
/** More than any workload has on a task. */
const MOST_WEBHOOKS = 1000;

type Entries = Parameters<Store['commit']>[0];

/** Resolves with the port of HTTP; of kinds for gRPC, with that of gRPC. */
export async function startParley(
  kind: 'memory' | 'again' | 'sqlite' | 'grpc-memory' | 'grpc-sqlite' | SettingKind,
  { folder, seed }: { folder: string; seed: number },
): Promise<number> {
  const file = join(folder, 'bench.db');
  const isOnDisk = kind === 'sqlite' || kind === 'grpc-sqlite';
  let store: Store = isOnDisk ? sqlite(file) : memory();
  if (seed > 0) {
    await store.open();
    await fill(store, seed);
    if (isOnDisk) {
      await store.close();
      store = sqlite(file);
    }
  }
  const server = await benchServer(store, SETTINGS[kind]).listen({ port: 0 });
  started = { server, store };
  return Number(new URL(server.grpcAddress === undefined ? (server.url ?? '') : `http://${server.grpcAddress}`).port);
}

let started: { readonly server: A2AServer; readonly store: Store } | undefined;

const OLD_TASKS = 100_000;
/** Old tasks ended before the others, which a purge leaves. */
const AGE = 86_400_000;

/** Adds old tasks to the store of the server, or purges them. */
export async function changeOldTasks(question: Question): Promise<void> {
  if (!started) throw new Error('There is no server yet');
  const { server, store } = started;
  if (question === 'purge') await server.purgeTasks({ endedBefore: Date.now() - AGE / 2 });
  else await fill(store, question === 'fill' ? OLD_TASKS : OLD_TASKS / 10, { prefix: 'old', age: AGE });
}

/** Quotas that the load does not reach: what is measured is the counting. */
const RATE = { requests: 1_000_000, window: 10_000, burst: 100_000 };
const SETTINGS: Readonly<Partial<Record<string, Partial<A2AServerOptions>>>> = {
  jwt: { auth: jwt(TOKENS) },
  rate: { limits: { rate: RATE, requestsPerCaller: 10_000, streamsPerCaller: 10_000 } },
  load: { limits: { load: { delay: 5 } } },
  'grpc-memory': { grpc: { port: 0 } },
  'grpc-sqlite': { grpc: { port: 0 } },
};

export function benchServer(store: Store = memory(), settings: Partial<A2AServerOptions> = {}): A2AServer {
  const agent = defineAgent({
    name: AGENT,
    description: 'Writes what the benchmark asks for',
    version: '1.0.0',
    run: (task) => runScript(task.text),
  });
  return new A2AServer({ agents: [agent], store, limits: { pushConfigs: MOST_WEBHOOKS }, ...settings });
}

/** Finished tasks, two of three completed, as the engine would have left them. */
async function fill(store: Store, count: number, { prefix = 'seed', age = 0 } = {}): Promise<void> {
  const start = Date.now() - age - count;
  for (let from = 0; from < count; from += SEED_BATCH) {
    const size = Math.min(SEED_BATCH, count - from);
    const entryOf = (_: unknown, offset: number) => entry(from + offset, start + from + offset, prefix);
    await store.commit(Array.from({ length: size }, entryOf));
  }
}

function entry(index: number, time: number, prefix: string): Entries[number] {
  const id = `${prefix}-${String(index).padStart(8, '0')}`;
  const contextId = `context-${index}`;
  const status = {
    state: index % 3 === 0 ? ('failed' as const) : ('completed' as const),
    timestamp: new Date(time).toISOString(),
  };
  return {
    kind: 'task',
    expectedSeq: 0,
    expectedLease: 0,
    head: {
      id,
      agent: AGENT,
      contextId,
      owner: { tenant: '', subject: '' },
      createdAt: time,
      status,
      statusTime: time,
      seq: 3,
      lease: { number: 1, node: null },
      consumed: 2,
      asking: false,
      openFrom: 0,
    },
    events: [
      { kind: 'created', seq: 1, time },
      {
        kind: 'message',
        seq: 2,
        time,
        message: { messageId: `m-${index}`, role: 'user', parts: [text('hello')], contextId, taskId: id },
      },
      { kind: 'status', seq: 3, time, status, consumed: 2 },
    ],
    bodies: [],
  };
}
