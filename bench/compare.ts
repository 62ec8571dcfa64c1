/** `npm run bench:compare -- TREE [--rounds N] [--quick] [--only NAME]`: this working tree against another one. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ServerProcess } from './server-process.ts';
import type { ServerKind } from './servers/protocol.ts';
import { align, number, TITLES } from './table.ts';
import { chosenWorkloads } from './workloads/index.ts';
import type { Settings, Workload } from './workloads/workload.ts';

const COMPARED: readonly ServerKind[] = ['memory', 'sqlite'];
const FLOOR: ServerKind = 'simple';
/** Until the compiler is done: a tree with more code takes longer to get there, and runs as fast afterwards. */
const WARM_UP_ROUNDS = 8;
/** Their median counts: a single one may meet a full garbage collection, at the same place in every process. */
const MEASURED_ROUNDS = 5;
/** For what no compiler changes, such as memory, and for workloads that leave more behind with every round. */
const FEWEST_WARM_UP_ROUNDS = 2;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const [other] = positionals;
const rounds = Number(options.rounds);
if (other === undefined || positionals.length > 1 || !Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run bench:compare -- TREE [--rounds N] [--quick] [--only NAME]');
  process.exit(1);
}
const tree = resolve(other);

/** Who takes part: `other` runs the other tree, the rest run this one. */
interface Contestant {
  readonly name: 'this' | 'again' | 'other' | 'floor';
  readonly start: () => Promise<ServerProcess>;
  readonly figures: number[];
}

const chosen = chosenWorkloads(options.only).filter(({ servers }) => servers.includes('memory'));
const rows: string[][] = [
  ['workload', 'server', 'this', 'this again', 'other', 'A/A', 'this : other', '× simple', 'verdict'],
];
for (const workload of chosen) {
  for (const kind of COMPARED) {
    const row = await compare(workload, kind);
    rows.push(row);
    process.stderr.write(`\r\x1b[K${row.join(' | ')}\n`);
  }
}
process.stderr.write('\r\x1b[K');
console.log(align(rows));

async function compare(workload: Workload, kind: ServerKind): Promise<string[]> {
  const seed = workload.seed?.(options.quick) ?? 0;
  const settings: Settings = { isQuick: options.quick, start: (one) => ServerProcess.start(one) };
  const enter = (name: Contestant['name'], start: () => Promise<ServerProcess>): Contestant => {
    return { name, start, figures: [] };
  };
  const contestants = [
    enter('this', () => ServerProcess.start(kind, seed)),
    enter('other', () => ServerProcess.start(kind, seed, tree)),
    enter('again', () => ServerProcess.start(kind, seed)),
    ...(workload.servers.includes(FLOOR) ? [enter('floor', () => ServerProcess.start(FLOOR, seed))] : []),
  ];
  const settingsOf = ({ name }: Contestant): Settings =>
    name === 'other' ? { ...settings, start: (one) => ServerProcess.start(one, 0, tree) } : settings;
  for (let round = 0; round < rounds; round++) {
    // Whoever begins has the machine in another state than whoever ends: each begins in turn.
    const first = round % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      process.stderr.write(`\r\x1b[K${workload.name}, ${TITLES[kind]}, round ${round + 1} of ${rounds}`);
      contestant.figures.push(await measured(workload, contestant.start, settingsOf(contestant)));
    }
  }
  return rowOf(workload, kind, contestants);
}

/** A process of its own for every round: two of one program differ for as long as they live, by what they chance to compile. */
async function measured(workload: Workload, start: Contestant['start'], settings: Settings): Promise<number> {
  const server = await start();
  try {
    const settles = workload.hasWarmUp || workload.settledAfter !== undefined;
    const { settledAfter = WARM_UP_ROUNDS } = workload;
    const [warmUp, counted] = settles ? [settledAfter, MEASURED_ROUNDS] : [FEWEST_WARM_UP_ROUNDS, 1];
    for (let round = 0; round < warmUp; round++) await workload.measure(server, settings);
    const figures: number[] = [];
    for (let round = 0; round < counted; round++) figures.push((await workload.measure(server, settings)).figure);
    return median(figures);
  } finally {
    await server.stop();
  }
}

function rowOf(workload: Workload, kind: ServerKind, contestants: readonly Contestant[]): string[] {
  const medianOf = (name: Contestant['name']) => median(contestants.find((one) => one.name === name)?.figures ?? []);
  const [one, again, before, floor] = [medianOf('this'), medianOf('again'), medianOf('other'), medianOf('floor')];
  const spread = Math.abs(again / one - 1);
  const change = (one + again) / 2 / before - 1;
  const verdict = Math.abs(change) <= spread ? 'the same' : change < 0 ? 'better' : 'worse';
  const figures = [one, again, before].map((figure) => `${number(figure)} ${workload.unit}`);
  const ratios = [
    number(again / one),
    number((one + again) / 2 / before),
    Number.isNaN(floor) ? '' : number(one / floor),
  ];
  return [workload.title, TITLES[kind], ...figures, ...ratios, verdict];
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
