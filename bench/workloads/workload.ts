import type { ServerProcess } from '../server-process.ts';
import type { ServerKind } from '../servers/protocol.ts';

/** What one measurement found. Fields that a workload does not have stay absent, and the table shows them as such. */
export interface Sample {
  /** The primary figure, in the workload's unit. */
  readonly figure: number;
  /** Requests or events in a second. */
  readonly rate?: number;
  /** In milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
}

export interface Settings {
  readonly isQuick: boolean;
  /** Starts another server of the same kind, for workloads that need a fresh one; the caller stops it. */
  readonly start: (kind: ServerKind) => Promise<ServerProcess>;
}

/** Looks up the median of a workload's field; undefined where it was not measured. */
export type Lookup = (workload: string, kind: ServerKind, field?: keyof Sample) => number | undefined;

export interface Target {
  readonly kind: ServerKind;
  readonly label: string;
  readonly limit: number;
  /** `most`: the value may be at most the limit; `least`: at least. */
  readonly bound: 'most' | 'least';
  readonly value: (look: Lookup) => number | undefined;
}

export interface Workload {
  readonly name: string;
  readonly title: string;
  /** What is smaller with `--quick`, where the title would be wrong. */
  readonly quickNote?: string;
  /** Workloads of one group run on the same servers. */
  readonly group: string;
  readonly unit: 'µs' | 'ms' | 'KB' | 'MB' | '×' | 'streams';
  readonly servers: readonly ServerKind[];
  /** Whose figure the others are compared with. Default: the simple floor. */
  readonly base?: ServerKind;
  /** Tasks in the store before the server starts. */
  readonly seed?: (isQuick: boolean) => number;
  /** How many rounds there are when the command says nothing. Default: 3. */
  readonly usualRounds?: number;
  readonly rounds?: (kind: ServerKind, isQuick: boolean) => number;
  readonly hasWarmUp: boolean;
  /** Rounds until the compiler is done with it, where trees are compared. Default: 8. */
  readonly settledAfter?: number;
  /** Every round has processes of its own: two of one program differ for as long as they live, by what they chance to compile. */
  readonly isFresh?: boolean;
  readonly targets: readonly Target[];
  readonly measure: (server: ServerProcess, settings: Settings) => Promise<Sample>;
}

/** A target against another server's figure of the same workload. */
export function against(workload: string, kind: ServerKind, limit: number, other: ServerKind = 'simple'): Target {
  return {
    kind,
    label: `× ${other}`,
    limit,
    bound: 'most',
    value: (look) => quotient(look(workload, kind), look(workload, other)),
  };
}

/** A target for the rate, against another server's. */
export function rateAgainst(workload: string, kind: ServerKind, limit: number, other: ServerKind): Target {
  return {
    kind,
    label: `rate × ${other}`,
    limit,
    bound: 'least',
    value: (look) => quotient(look(workload, kind, 'rate'), look(workload, other, 'rate')),
  };
}

export function quotient(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}

/** Runs `work` and says what it cost: server CPU in µs, and seconds. */
export async function costOf<T>(
  server: ServerProcess,
  work: () => Promise<T>,
): Promise<{ readonly cpu: number; readonly seconds: number; readonly result: T }> {
  const before = await server.ask('usage');
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const after = await server.ask('usage');
  return { cpu: after.cpu - before.cpu, seconds, result };
}
