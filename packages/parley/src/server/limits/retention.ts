import { DEFAULT_RETENTION, type Retention } from '../../engine/node/retention.ts';
import type { Store } from '../../engine/ports.ts';
import { requireKnown } from '../known-names.ts';

/** A time: milliseconds, or a text such as `90m`, `12h`, `30d`. 0 = for ever. */
export type RetentionTime = number | string;

/** Times to keep things. The server never removes what has not ended, and first delivers everything to webhooks. */
export interface RetentionOptions {
  /** An ended task, with everything that belongs to it. Default 0 = forever. */
  readonly tasks?: RetentionTime | undefined;
  /** A conversation without activity. Default `24h`. */
  readonly contexts?: RetentionTime | undefined;
  /**
   * The single events of an ended task. Clients can then no longer resume its streams. Default 0 = as long as the task.
   */
  readonly events?: RetentionTime | undefined;
  /** An idempotency key. Default `24h`; 0 = as long as the task. */
  readonly keys?: RetentionTime | undefined;
  /** The webhooks of an ended task, and their progress. Default 0 = as long as the task. */
  readonly deliveries?: RetentionTime | undefined;
  /** The records of a resumable run, after its task has ended. Default 0 = as long as the task. */
  readonly journals?: RetentionTime | undefined;
}

type Name = keyof RetentionOptions;

/** The parts of ended tasks that a store must be able to trim. */
const PARTS = ['events', 'journals', 'deliveries'] as const;

const NAMES: readonly Name[] = ['tasks', 'contexts', 'events', 'keys', 'deliveries', 'journals'];
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** The times in milliseconds. Throws a TypeError for what is no time. */
export function resolveRetention(given: RetentionOptions = {}): Retention {
  requireKnown('retention', given, NAMES);
  const set = NAMES.filter((name) => given[name] !== undefined);
  return { ...DEFAULT_RETENTION, ...Object.fromEntries(set.map((name) => [name, timeOf(name, given[name])])) };
}

/** Throws a TypeError where a store cannot trim what it is not to keep as long as the task. */
export function requireTrimming(retention: Retention, store: Pick<Store, 'trim'>): void {
  const wanted = PARTS.find((part) => retention[part] !== Number.POSITIVE_INFINITY);
  if (wanted && !store.trim) {
    throw new TypeError(`retention.${wanted} needs a store that has trim(); this one keeps it as long as the task`);
  }
}

function timeOf(name: Name, value: unknown): number {
  const time = typeof value === 'string' ? parsed(value) : value;
  if (typeof time !== 'number' || Number.isNaN(time) || time < 0) {
    const right = 'a time such as 90m, 12h or 30d, or a number of milliseconds; 0 = for ever';
    throw new TypeError(`retention.${name} must be ${right}; not ${shown(value)}`);
  }
  return time === 0 ? Number.POSITIVE_INFINITY : time;
}

function parsed(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  return Math.round(Number(count) * (UNITS.get(unit.toLowerCase() || 'ms') ?? Number.NaN));
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 64);
}
