import { MOST_BUFFERED } from '../../agent/run/execute.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { DEFAULT_LIMITS, type EngineLimits, heartbeatFor } from '../../engine/limits.ts';
import { DEFAULT_INPUT_LIMITS, type InputLimits } from '../../model/input-limits.ts';
import { DEFAULT_TRAFFIC_LIMITS } from '../../model/traffic-limits.ts';
import type { TrafficSetting } from './traffic-settings.ts';

/** What bounds requests, streams and runs. Times are in milliseconds. */
export interface ServerLimits extends EngineLimits, InputLimits {
  /** All request bodies larger than 64 KB that are held at a time, together; more are refused for the moment. Default 256 MB. */
  readonly bodiesBytes: number;
  /** A request body that has not arrived after this long is refused. Default 1 minute; 0 = never. */
  readonly bodyTimeout: number;
  /** The headers of a request must arrive within this time, where the server itself listens. Default 30 s; 0 = never. */
  readonly headersTimeout: number;
  /** Larger headers of a request, all together, are refused, where the server itself listens. Default 16 KB. */
  readonly headersBytes: number;
  /** A request may have so many headers. Default 200. */
  readonly headers: number;
  /** All responses longer than 64 KB that wait for their readers, together; more are refused for the moment. Default 256 MB. */
  readonly answersBytes: number;
  /** How many agents may stand before this one in a chain of calls. Default 10. */
  readonly hops: number;
  /** Outputs of an agent's observable that may wait for the store; more fail the run. Default 10 000. */
  readonly bufferedOutputs: number;
  /** Webhooks that may be registered for one task. Default 100. */
  readonly pushConfigs: number;
  /**
   * Tasks whose webhooks have something to be told, or fail and are tried again. While there are so many, none is registered for
   * a further task. Default 50 000.
   */
  readonly pushTasks: number;
  /** An idle stream gets a comment this often. Default 15 s; 0 = never. */
  readonly keepAlive: number;
  /** A response whose reader takes nothing for this long is cut; a stream can be resumed. Default 5 minutes; 0 = never. */
  readonly stallTimeout: number;
  /** A stream is closed after this long; the task goes on and the stream can be resumed. Default 0 = never. */
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
  answersBytes: 256 * 1024 * 1024,
  hops: 10,
  bufferedOutputs: MOST_BUFFERED,
  pushConfigs: 100,
  pushTasks: 50_000,
  keepAlive: 15_000,
  stallTimeout: 300_000,
  streamTimeout: 0,
};

/** Where 0 means that there is no limit. */
const ENDLESS: readonly (keyof ServerLimits)[] = [
  'textBytes',
  'dataBytes',
  'metadataBytes',
  'messageBytes',
  'runs',
  'runTimeout',
  'inactivityTimeout',
  'requestTimeout',
  'messagesPerTask',
  'askTimeout',
  'parkAfter',
  'contextLifetime',
  'taskRetention',
  'pollInterval',
  'bodyTimeout',
  'headersTimeout',
  'keepAlive',
  'stallTimeout',
  'streamTimeout',
];

/** All limits, with their defaults; an endless one is Infinity. */
export function resolveLimits(given: Partial<ServerLimits> = {}): ServerLimits {
  const limits = withGiven(DEFAULTS, given, 'limits');
  const { heartbeatInterval = heartbeatFor(limits.leaseLifetime) } = given;
  return { ...limits, heartbeatInterval };
}

/** `limits.closeGrace` is the name of before. */
export function drainTimeoutOf({ drainTimeout, limits }: DrainSettings): number | undefined {
  const [name, value] =
    drainTimeout === undefined ? ['limits.closeGrace', limits?.closeGrace] : ['drainTimeout', drainTimeout];
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new TypeError(`${name} must be a number of milliseconds that is not negative, not ${String(value)}`);
}

interface DrainSettings {
  readonly drainTimeout?: number | undefined;
  readonly limits?: { readonly closeGrace?: number | undefined } | undefined;
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
    limits[name] = value;
  }
  for (const name of ENDLESS) if (limits[name] === 0) limits[name] = Number.POSITIVE_INFINITY;
  const resolved = limits as unknown as Limits;
  if (resolved.depth <= DEEPEST) return resolved;
  throw new TypeError(`${where}.depth must be at most ${DEEPEST}: deeper values break JSON writers`);
}
