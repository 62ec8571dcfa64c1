/** `npm run bench [-- --quick] [--rounds N] [--only NAME]`: measures and prints what it found. */
import { parseArgs } from 'node:util';
import { stopPostgres } from './postgres.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerKind } from './servers/protocol.ts';
import { countTargets, type Outcome, renderTables, TITLES } from './table.ts';
import { ALL_WORKLOADS, chosenWorkloads } from './workloads/index.ts';
import type { Sample, Settings, Workload } from './workloads/workload.ts';

const WARM_UP_ROUNDS = 2;
const USUAL_ROUNDS = 3;
const MEASURE_LIMIT_MILLISECONDS = 120_000;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const givenRounds = options.rounds === undefined ? undefined : Number(options.rounds);
const settings: Settings = { isQuick: options.quick, start: (kind) => ServerProcess.start(kind) };
const chosen = chosenWorkloads(options.only);
const outcomes: Map<string, Map<ServerKind, Outcome>> = new Map();

if (givenRounds !== undefined && (!Number.isInteger(givenRounds) || givenRounds < 1)) {
  console.error(`--rounds takes a number from 1 on, not ${options.rounds}`);
  process.exit(1);
}
if (chosen.length === 0) {
  console.error(
    `--only takes one of ${ALL_WORKLOADS.map(({ name }) => name).join(', ')}, or how one begins; =NAME is that one alone`,
  );
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    printTables();
    process.exit(1);
  });
}
for (const group of new Set(chosen.map((workload) => workload.group))) {
  await runGroup(chosen.filter((workload) => workload.group === group));
}
await stopPostgres();
printTables();

function printTables(): void {
  console.log(renderTables(chosen, outcomes, options.quick));
  const { yes, NO, missing } = countTargets(chosen, outcomes);
  console.log(`\nTargets: ${yes} met, ${NO} not met, ${missing} not judged.`);
}

async function runGroup(workloads: readonly Workload[]): Promise<void> {
  const lasting = workloads.filter(({ isFresh }) => !isFresh);
  const kinds = new Set(lasting.flatMap((workload) => workload.servers.filter((kind) => !isLeftOut(workload, kind))));
  const servers: Map<ServerKind, ServerProcess> = new Map();
  const failures: Map<ServerKind, string> = new Map();
  for (const kind of kinds) {
    try {
      servers.set(kind, await ServerProcess.start(kind, workloads[0]?.seed?.(options.quick) ?? 0));
    } catch (error) {
      failures.set(kind, reasonOf(error));
    }
  }
  for (const workload of workloads) await runWorkload(workload, servers, failures);
  await Promise.all([...servers.values()].map((server) => server.stop()));
}

/** Rounds go from server to server, so that whatever else the machine does falls on all of them. */
async function runWorkload(
  workload: Workload,
  servers: ReadonlyMap<ServerKind, ServerProcess>,
  notStarted: ReadonlyMap<ServerKind, string>,
): Promise<void> {
  // What fails here says nothing of the next workload on the same server.
  const failures = new Map(notStarted);
  const samples: Map<ServerKind, Sample[]> = new Map();
  const allRounds = givenRounds ?? workload.usualRounds ?? USUAL_ROUNDS;
  // A single round only shows that everything works.
  const warmUp = workload.hasWarmUp && allRounds > 1 ? WARM_UP_ROUNDS : 0;
  for (let round = workload.isFresh ? 0 : -warmUp; round < allRounds; round++) {
    for (const kind of inTurn(workload.servers, Math.max(round, 0))) {
      const server = workload.isFresh ? undefined : servers.get(kind);
      const rounds = Math.min(workload.rounds?.(kind, options.quick) ?? allRounds, allRounds);
      if ((!server && !workload.isFresh) || failures.has(kind) || round >= rounds) continue;
      process.stderr.write(`\r\x1b[K${workload.name}, ${TITLES[kind]}, round ${round + 1} of ${rounds}`);
      try {
        const sample = await withLimit(
          server ? workload.measure(server, settings) : freshSample(workload, kind, warmUp),
        );
        if (round >= 0) samples.set(kind, [...(samples.get(kind) ?? []), sample]);
      } catch (error) {
        failures.set(kind, reasonOf(error));
      }
    }
  }
  process.stderr.write('\r\x1b[K');
  const result: Map<ServerKind, Outcome> = new Map();
  for (const kind of workload.servers) {
    const taken = samples.get(kind);
    const failure = failures.get(kind);
    if (taken && failure === undefined) result.set(kind, { median: medianOf(taken) });
    else result.set(kind, { missing: failure ?? (isLeftOut(workload, kind) ? 'not in --quick' : 'not run') });
  }
  outcomes.set(workload.name, result);
}

/** Whoever begins has the machine in another state than whoever ends: each begins in turn. */
function inTurn(kinds: readonly ServerKind[], round: number): readonly ServerKind[] {
  const first = round % kinds.length;
  return [...kinds.slice(first), ...kinds.slice(0, first)];
}

async function freshSample(workload: Workload, kind: ServerKind, warmUp: number): Promise<Sample> {
  const server = await ServerProcess.start(kind, workload.seed?.(options.quick) ?? 0);
  try {
    for (let round = 0; round < warmUp; round++) await workload.measure(server, settings);
    return await workload.measure(server, settings);
  } finally {
    await server.stop();
  }
}

function isLeftOut({ rounds }: Workload, kind: ServerKind): boolean {
  return rounds?.(kind, options.quick) === 0;
}

async function withLimit(measuring: Promise<Sample>): Promise<Sample> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took longer than two minutes')), MEASURE_LIMIT_MILLISECONDS);
  });
  try {
    return await Promise.race([measuring, late]);
  } finally {
    clearTimeout(timer);
  }
}

function medianOf(samples: readonly Sample[]): Sample {
  const median = (field: keyof Sample): number | undefined => {
    const sorted = samples.flatMap((sample) => sample[field] ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  };
  const [figure, rate, p50, p99] = [median('figure'), median('rate'), median('p50'), median('p99')];
  return {
    figure: figure ?? Number.NaN,
    ...(rate === undefined ? {} : { rate }),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p99 === undefined ? {} : { p99 }),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
