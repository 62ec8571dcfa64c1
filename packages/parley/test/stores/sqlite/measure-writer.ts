// Compares the two ways to write (`writer: 'loop'` and `'worker'`). Run by hand, on a quiet machine:
//   npm exec -- node packages/parley/test/stores/sqlite/measure-writer.ts [seconds] [rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Store, TaskCommit } from '../../../src/engine/ports.ts';
import { uuidv7Source } from '../../../src/model/basics/uuid.ts';
import { sqlite } from '../../../src/sqlite.ts';
import { accept, append, chunkEvent, creation } from '../fixtures.ts';

const SECONDS = Number(process.argv[2] ?? 4);
const ROUNDS = Number(process.argv[3] ?? 3);
const WRITERS = ['loop', 'worker'] as const;
const CHUNK = 'x'.repeat(100);
const CHUNKS_EACH_TURN = 16;
const PENDING_LIMIT = 64;
const newId = uuidv7Source();

/** What a scenario has done so far. */
interface Work {
  commits: number;
  events: number;
}

/** Keeps a store busy until `isOver`, with one commit in flight while the next one gathers. */
type Scenario = (store: Store, work: Work, isOver: () => boolean) => Promise<void>;

/** Streams that write as fast as backpressure lets them, or so many milliseconds apart. */
function streams(count: number, pauseMilliseconds: number): Scenario {
  return async (store, work, isOver) => {
    const live = await Promise.all(
      Array.from({ length: count }, async () => ({
        head: await accept(store, creation(newId(), { state: 'working' })),
        pending: 0,
      })),
    );
    let inFlight: Promise<void> | undefined;
    const commit = async () => {
      while (live.some(({ pending }) => pending > 0)) {
        const entries: TaskCommit[] = [];
        for (const stream of live) {
          if (stream.pending === 0) continue;
          const events = Array.from({ length: stream.pending }, (_, index) =>
            chunkEvent(stream.head.seq + index + 1, 'result', CHUNK),
          );
          const entry = append(stream.head, events, { head: { openFrom: 3 } });
          stream.head = entry.head;
          stream.pending = 0;
          entries.push(entry);
          work.events += events.length;
        }
        work.commits += 1;
        const answer = store.commit(entries);
        if (answer instanceof Promise) await answer;
        else return;
      }
    };
    while (!isOver()) {
      for (const stream of live) if (stream.pending < PENDING_LIMIT) stream.pending += CHUNKS_EACH_TURN;
      inFlight ??= commit().finally(() => {
        inFlight = undefined;
      });
      const isFull = live.every(({ pending }) => pending >= PENDING_LIMIT);
      if (isFull) await inFlight;
      else if (pauseMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      else await new Promise((resolve) => setImmediate(resolve));
    }
    await inFlight;
  };
}

/** Callers that each create a task, wait for the commit, and begin anew. */
function creations(count: number): Scenario {
  return async (store, work, isOver) => {
    while (!isOver()) {
      const entries = Array.from({ length: count }, () => creation(newId(), { time: Date.now() }));
      work.events += 2 * count;
      work.commits += 1;
      await store.commit(entries);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  '32 streams, saturated': streams(32, 0),
  '32 streams, every 20 ms': streams(32, 20),
  '64 creations': creations(64),
  '1 creation': creations(1),
};

async function measure(scenario: Scenario, writer: (typeof WRITERS)[number]): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-measure-'));
  const store = sqlite(join(folder, 'measure.db'), { writer });
  await store.open();
  const probe = await accept(store, creation(newId()));
  const reads: number[] = [];
  const reader = setInterval(() => {
    const start = performance.now();
    void store.head(probe.id);
    reads.push(performance.now() - start);
  }, 2);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const work: Work = { commits: 0, events: 0 };
  delay.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await scenario(store, work, () => performance.now() - start > SECONDS * 1000);
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  delay.disable();
  clearInterval(reader);
  await store.close();
  rmSync(folder, { recursive: true });
  return {
    'loop p50 ms': delay.percentile(50) / 1e6,
    'loop p99 ms': delay.percentile(99) / 1e6,
    'loop max ms': delay.max / 1e6,
    'commits/s': work.commits / seconds,
    'events/s': work.events / seconds,
    'CPU µs/event': (used.user + used.system) / work.events,
    'head p99 µs': percentile(reads, 0.99) * 1000,
  };
}

function percentile(values: number[], fraction: number): number {
  values.sort((left, right) => left - right);
  return values[Math.floor(values.length * fraction)] ?? Number.NaN;
}

const rounds = new Map<string, Record<string, number>[]>();
for (let round = 1; round <= ROUNDS; round += 1) {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    for (const writer of WRITERS) {
      const row = `${name}: ${writer}`;
      rounds.set(row, [...(rounds.get(row) ?? []), await measure(scenario, writer)]);
    }
  }
}
process.stdout.write(`Medians of ${ROUNDS} rounds of ${SECONDS} s; an idle loop shows a delay of about 1 ms\n`);
console.table(Object.fromEntries([...rounds].map(([row, results]) => [row, medians(results)])));

function medians(results: readonly Record<string, number>[]): Record<string, number> {
  const columns = Object.keys(results[0] ?? {});
  const median = (column: string) =>
    percentile(
      results.map((result) => result[column] ?? Number.NaN),
      0.5,
    );
  return Object.fromEntries(columns.map((column) => [column, Number(median(column).toFixed(2))]));
}
