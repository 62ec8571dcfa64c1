import { MOST_BUFFERED } from '../../agent/run/execute.ts';
import { DEFAULT_LIMITS, type EngineLimits } from '../../engine/limits.ts';

/** What bounds requests, streams and runs. Times are in milliseconds. */
export interface ServerLimits extends EngineLimits {
  /** Larger request bodies are refused. Default 16 MB. */
  readonly bodyBytes: number;
  /** Request bodies may be nested so deep. Default 100, at most 1000. */
  readonly depth: number;
  /** A message may have so many parts. Default 1000. */
  readonly parts: number;
  /** How many agents may stand before this one in a chain of calls. Default 10. */
  readonly hops: number;
  /** Outputs of an agent's observable that may wait for the store; more fail the run. Default 10 000. */
  readonly bufferedOutputs: number;
  /** An idle stream gets a comment this often. Default 15 s; 0 = never. */
  readonly keepAlive: number;
  /** A stream whose reader takes nothing for this long is cut; it can be resumed. Default 5 minutes; 0 = never. */
  readonly stallTimeout: number;
  /** A stream is closed after this long; the task goes on and the stream can be resumed. Default 0 = never. */
  readonly streamTimeout: number;
}

/** A value that is nested deeper may overflow the stack when it is written. */
const DEEPEST = 1000;

const DEFAULTS: ServerLimits = {
  ...DEFAULT_LIMITS,
  bodyBytes: 16 * 1024 * 1024,
  depth: 100,
  parts: 1000,
  hops: 10,
  bufferedOutputs: MOST_BUFFERED,
  keepAlive: 15_000,
  stallTimeout: 300_000,
  streamTimeout: 0,
};

/** Where 0 means that there is no limit. */
const ENDLESS: readonly (keyof ServerLimits)[] = [
  'runs',
  'runTimeout',
  'inactivityTimeout',
  'requestTimeout',
  'contextLifetime',
  'taskRetention',
  'pollInterval',
  'keepAlive',
  'stallTimeout',
  'streamTimeout',
];

/** All limits, with their defaults; an endless one is Infinity. */
export function resolveLimits(given: Partial<ServerLimits> = {}): ServerLimits {
  const limits: Record<keyof ServerLimits, number> = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof ServerLimits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0) {
      throw new TypeError(`limits.${name} must be a number that is not negative, not ${String(value)}`);
    }
    limits[name] = value;
  }
  if (limits.depth > DEEPEST)
    throw new TypeError(`limits.depth must be at most ${DEEPEST}: deeper values break JSON writers`);
  for (const name of ENDLESS) if (limits[name] === 0) limits[name] = Number.POSITIVE_INFINITY;
  return limits;
}
