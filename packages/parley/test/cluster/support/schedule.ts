import { Random } from '../../crash/load/random.ts';

/** What befalls a cluster. `kill`, `pause`, `isolate` and `cut-node` are for one node, by its place. */
export type FaultKind = 'kill' | 'pause' | 'isolate' | 'cut-node' | 'cut-clients' | 'restart-database';

export interface Fault {
  readonly kind: FaultKind;
  /** Milliseconds from the beginning. */
  readonly at: number;
  readonly node: number;
  /** Milliseconds until the node is back: started again, set going, connected to its database. */
  readonly lasts: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly nodes: number;
  /** Milliseconds. No fault begins later. */
  readonly duration: number;
  /** Milliseconds. Pauses and isolations are longer than it. */
  readonly lease: number;
}

const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  kill: 4,
  pause: 3,
  isolate: 2,
  'cut-node': 2,
  'cut-clients': 3,
  'restart-database': 1,
};
/** The first faults are one of each, so that a short run has seen all. */
const KINDS = Object.keys(WEIGHTS) as readonly FaultKind[];

/** The faults of a run, in order: the same for the same seed. One node at least is left alone at any time. */
export function scheduleOf({ seed, nodes, duration, lease }: ScheduleOptions): readonly Fault[] {
  const random = new Random(seed);
  const faults: Fault[] = [];
  const first = shuffled(KINDS, random);
  const busyUntil = Array.from({ length: nodes }, () => 0);
  for (let at = random.between(200, 800); at < duration; at += random.between(300, 1500)) {
    const kind = first.shift() ?? random.weighted(WEIGHTS);
    const lasts = lastsFor(kind, lease, random);
    const free = busyUntil.flatMap((until, node) => (until < at ? [node] : []));
    const node = random.pick(free) ?? 0;
    const isAlone = kind === 'cut-clients' || kind === 'restart-database' || kind === 'cut-node';
    if (!isAlone && free.length < 2) {
      first.push(kind);
      continue;
    }
    if (!isAlone) busyUntil[node] = at + lasts;
    faults.push({ kind, at, node, lasts });
  }
  return faults;
}

function lastsFor(kind: FaultKind, lease: number, random: Random): number {
  const long = Math.round(lease * (1.2 + random.unit()));
  return kind === 'pause' || kind === 'isolate' ? long : random.between(100, lease);
}

function shuffled<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => [random.unit(), value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value);
}
