import { MOST_BUFFERED } from '../../agent/run/execute.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { DEFAULT_LIMITS, ENDLESS_LIMITS, type EngineLimits, heartbeatFor } from '../../engine/limits.ts';
import { DEFAULT_INPUT_LIMITS, type InputLimits } from '../../model/input-limits.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../../model/traffic-limits.ts';
import { requireKnown } from '../known-names.ts';
import type { CallerSettings, TrafficSetting } from './traffic-settings.ts';

/** Bounds of requests, streams and runs. Times are in milliseconds. */
export interface ServerLimits extends EngineLimits, InputLimits {
  /**
   * Memory for all request bodies larger than 64 KB together. The server refuses further ones for the moment. Default
   * 256 MB.
   */
  readonly bodiesBytes: number;
  /** Time that a request body may take to arrive; 0 for no limit. Default 1 minute. */
  readonly bodyTimeout: number;
  /**
   * Time that the headers of a request may take to arrive, if the server itself listens; 0 for no limit. Default 30 s.
   */
  readonly headersTimeout: number;
  /** Bytes of all headers of a request together, if the server itself listens. Default 16 KB. */
  readonly headersBytes: number;
  /** Headers that a request may have. Default 200. */
  readonly headers: number;
  /**
   * Memory for all responses longer than 64 KB that wait for their readers. The server refuses further ones for the
   * moment. Default 256 MB.
   */
  readonly responsesBytes: number;
  /** Agents that may come before this one in a chain of calls. Default 10. */
  readonly hops: number;
  /** Outputs of an agent's observable that may wait for the store; one more fails the run. Default 10 000. */
  readonly bufferedOutputs: number;
  /** Webhooks that one task may have. Default 100. */
  readonly pushConfigs: number;
  /**
   * Tasks whose webhooks have deliveries that wait or are retried. At this number, the server registers no webhook for a
   * further task. Default 50 000.
   */
  readonly pushTasks: number;
  /** Interval of comments on an idle stream; 0 sends none. Default 15 s. */
  readonly keepAlive: number;
  /**
   * Time after which the server cuts a response that nobody reads; 0 for no limit. Clients can resume a stream. Default
   * 5 minutes.
   */
  readonly stallTimeout: number;
  /**
   * Time after which the server closes a stream. The task goes on, and clients can resume the stream. Default 0 =
   * never.
   */
  readonly streamTimeout: number;
}

/** A value that is nested deeper may overflow the stack when it is written. */
const DEEPEST = 1000;

const DEFAULTS: ServerLimits = {
  ...DEFAULT_LIMITS,
  ...DEFAULT_INPUT_LIMITS,
  bodiesBytes: 256 * 1024 * 1024,
  bodyTimeout: 60_000,
  headersTimeout: 30_000,
  headersBytes: 16 * 1024,
  headers: 200,
  responsesBytes: 256 * 1024 * 1024,
  hops: 10,
  bufferedOutputs: MOST_BUFFERED,
  pushConfigs: 100,
  pushTasks: 50_000,
  keepAlive: 15_000,
  stallTimeout: 300_000,
  streamTimeout: 0,
};

const OF_CALLERS: Readonly<Record<keyof CallerSettings, true>> = {
  perCaller: true,
  rateStore: true,
  failedCredentials: true,
  load: true,
};
const LIMIT_NAMES = Object.keys({ ...DEFAULTS, ...DEFAULT_TRAFFIC_LIMITS, ...OF_CALLERS });

/** The limits that count: half of one is a mistake. Times, and bytes that were computed, may have a fraction. */
const COUNTS: ReadonlySet<string> = new Set<keyof ServerLimits>([
  'runs',
  'messagesPerTask',
  'headers',
  'hops',
  'bufferedOutputs',
  'pushConfigs',
  'pushTasks',
]);

/** The limits for which 0 means no limit. */
const ENDLESS: readonly (keyof ServerLimits)[] = [
  ...ENDLESS_LIMITS,
  'textBytes',
  'dataBytes',
  'metadataBytes',
  'messageBytes',
  'bodyTimeout',
  'headersTimeout',
  'keepAlive',
  'stallTimeout',
  'streamTimeout',
];

/** All limits, with their defaults; an endless one is Infinity. */
export function resolveLimits(given: Partial<ServerLimits> = {}): ServerLimits {
  requireKnown('limits', given, LIMIT_NAMES);
  const limits = withGiven(DEFAULTS, given, 'limits');
  const { heartbeatInterval = heartbeatFor(limits.leaseLifetime) } = given;
  return { ...limits, heartbeatInterval };
}

export function checkDrainTimeout(value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new TypeError(`drainTimeout must be a number of milliseconds that is not negative, not ${String(value)}`);
}

/** The limits that a mount, or a caller, may have of its own. */
export type MountLimits = Partial<InputLimits> & TrafficSetting;

/** The limits of a mount: its own come before those that the server sets, and these before those of its dialect. */
export function resolveMountLimits(
  path: string,
  dialect: Dialect,
  own: MountLimits = {},
  server: Partial<ServerLimits> = {},
): InputLimits {
  requireOfRequests(own, `The mount ${path}`);
  const usual = withGiven({ ...DEFAULT_INPUT_LIMITS, ...dialect.limits }, server, 'limits');
  return withGiven(usual, own, `The mount ${path}: limits`);
}

/** The limits of a caller who may have some of its own. */
export function resolveCallerLimits(usual: InputLimits, own: MountLimits): InputLimits {
  requireOfRequests(own, 'A caller (limits.perCaller)');
  return Object.keys(own).some((name) => Object.hasOwn(DEFAULT_INPUT_LIMITS, name))
    ? withGiven(usual, own, 'limits.perCaller()')
    : usual;
}

function requireOfRequests(own: MountLimits, where: string): void {
  const unknown = Object.keys(own).find((name) => !isOfRequests(name));
  if (unknown !== undefined) throw new TypeError(`${where} cannot have a limit ${unknown} of its own`);
}

function isOfRequests(name: string): boolean {
  return Object.hasOwn(DEFAULT_INPUT_LIMITS, name) || Object.hasOwn(DEFAULT_TRAFFIC_LIMITS, name);
}

/** Throws a TypeError for a value that is no limit. */
function withGiven<Limits extends InputLimits>(defaults: Limits, given: Partial<InputLimits>, where: string): Limits {
  const limits = { ...defaults } as unknown as Record<string, number>;
  for (const name of Object.keys(limits)) {
    const value = given[name as keyof InputLimits];
    if (value === undefined) continue;
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0) {
      throw new TypeError(`${where}.${name} must be a number that is not negative, not ${String(value)}`);
    }
    if (COUNTS.has(name) && value % 1 > 0) throw new TypeError(`${where}.${name} must be a whole number, not ${value}`);
    limits[name] = value;
  }
  for (const name of ENDLESS) if (limits[name] === 0) limits[name] = Number.POSITIVE_INFINITY;
  const resolved = limits as unknown as Limits;
  if (resolved.depth <= DEEPEST) return resolved;
  throw new TypeError(`${where}.depth must be at most ${DEEPEST}: deeper values break JSON writers`);
}
