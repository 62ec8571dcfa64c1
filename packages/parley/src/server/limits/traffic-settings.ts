import type { Dialect } from '../../dialects/dialect.ts';
import type { Awaitable } from '../../engine/ports.ts';
import type { Caller } from '../../model/call.ts';
import { anything, flag, members, requireRight } from '../../model/options/checks.ts';
import { DEFAULT_TRAFFIC_LIMITS, type RateLimit, type TrafficLimits } from '../../model/traffic-limits.ts';
import type { FailureLimit } from './failures/failed-credentials.ts';
import type { MountLimits } from './limits.ts';
import type { LoadLimit } from './load/load-gauge.ts';
import type { RateStore } from './rates/rate-store.ts';

/** The limits of callers as settings give them; `rate: false` is any rate, also where the dialect of a mount has one. */
export type TrafficSetting = Partial<Omit<TrafficLimits, 'rate'>> & { readonly rate?: RateLimit | false | undefined };

/** Limits that are not single numbers for the whole server. */
export interface CallerSettings {
  /**
   * Returns the limits of one caller, or undefined for a caller without its own. It runs for each request and may be
   * async; a request whose limits it cannot tell fails.
   */
  readonly perCaller: (caller: Caller) => Awaitable<MountLimits | undefined>;
  /**
   * Counts the requests of callers for `rate`. Default: the store if it counts rates, as Postgres does, else this
   * process.
   */
  readonly rateStore: RateStore;
  /**
   * Wrong credentials that one address may send. After that, the server checks no more from there for a while. `false`
   * for any number. Default: 100 within a minute.
   */
  readonly failedCredentials: FailureLimit | false;
  /** Load at which the server refuses new requests with 503; work that has begun goes on. Default: any. */
  readonly load: LoadLimit;
}

const NUMBERS = Object.keys(DEFAULT_TRAFFIC_LIMITS).filter((name) => name !== 'rate') as readonly Exclude<
  keyof TrafficLimits,
  'rate'
>[];

/** The limits of turns that a mount or a caller may have of its own; those of the server reach a turn without its request. */
const OF_TURNS: ReadonlySet<string> = new Set(['runTimeout', 'inactivityTimeout', 'askTimeout', 'messagesPerTask']);
const OF_SERVERS = NUMBERS.filter((name) => !OF_TURNS.has(name));

/** The limits of callers as a server sets them, over others. */
export function withServerTraffic(usual: TrafficLimits, given: TrafficSetting): TrafficLimits {
  return withTraffic(usual, given, 'limits', OF_SERVERS);
}

/** The limits of a mount's callers: its own come before those that the server sets, and these before those of its dialect. */
export function mountTraffic(
  path: string,
  { traffic }: Pick<Dialect, 'traffic'>,
  own: TrafficSetting | undefined,
  server: TrafficSetting = {},
): TrafficLimits | undefined {
  // A mount without any of its own counts together with the rest of the server.
  const hasOwn = own !== undefined && Object.keys(own).some((name) => Object.hasOwn(DEFAULT_TRAFFIC_LIMITS, name));
  if (!hasOwn && !traffic) return undefined;
  const usual = withServerTraffic({ ...DEFAULT_TRAFFIC_LIMITS, ...traffic }, server);
  return withTraffic(usual, own ?? {}, `The mount ${path}: limits`);
}

/** The limits over others; throws a TypeError for a value that is no limit. */
export function withTraffic(
  usual: TrafficLimits,
  given: TrafficSetting,
  where: string,
  names: typeof NUMBERS = NUMBERS,
): TrafficLimits {
  const limits: Record<string, unknown> = { ...usual };
  for (const name of names) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0) {
      throw new TypeError(`${where}.${name} must be a number that is not negative, not ${String(value)}`);
    }
    limits[name] = value === 0 ? Number.POSITIVE_INFINITY : value;
  }
  if (given.rate !== undefined) limits.rate = given.rate === false ? undefined : checkedRate(given.rate, where);
  return limits as unknown as TrafficLimits;
}

const check = members<RateLimit>({ requests: anything, window: anything, burst: anything, legacyHeaders: flag });

function checkedRate(rate: RateLimit, where: string): RateLimit {
  const start = where.lastIndexOf(': ');
  const within = start === -1 ? where : where.slice(start + 2);
  requireRight(start === -1 ? '' : where.slice(0, start), check(rate, `${within}.rate`));
  const { requests, window, burst } = rate;
  const wrong = Object.entries({ requests, window, burst }).find(
    ([name, value]) =>
      !(Number.isInteger(value) && (value as number) > 0) && !(name === 'burst' && value === undefined),
  );
  if (!wrong) return rate;
  const [name, value] = wrong;
  throw new TypeError(`${where}.rate.${name} must be a whole number above 0, not ${String(value)}`);
}
