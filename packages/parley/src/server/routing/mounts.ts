import type { Dialect } from '../../dialects/dialect.ts';
import { BUILT_IN_DIALECTS, type DialectName, type DialectRegistry } from '../../dialects/registry.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import type { TrafficLimits } from '../../model/traffic-limits.ts';
import { type MountLimits, resolveMountLimits } from '../limits/limits.ts';
import { mountTraffic } from '../limits/traffic-settings.ts';
import type { LimitSettings } from '../options.ts';
import { CONSOLE, LIVENESS, METRICS, READINESS } from './addresses.ts';
import { normalPath } from './paths.ts';

export type { DialectName };

/** An address that speaks one dialect, whatever its requests look like. */
export interface Mount {
  /** From the root of the host, e.g. `/api/a2a`. The base path itself may be one. */
  readonly path: string;
  /** By its name: a built-in one, or one of the server's `dialects`. */
  readonly dialect: DialectName | (string & Record<never, never>);
  /** The agent that messages go to. Default: the server's default agent. Others are below, at `/agents/NAME`. */
  readonly agent?: string | undefined;
  /** The limits of requests that come here. Default: those of the server, else those of the dialect. */
  readonly limits?: MountLimits | undefined;
}

export interface ResolvedMount {
  readonly path: string;
  readonly dialect: Dialect;
  readonly agent: string | undefined;
  /** Official clients may use it: it stands on the cards of its version. */
  readonly isListed: boolean;
  readonly limits: InputLimits;
  /** The limits of its callers. Default: those of the server. */
  readonly traffic?: TrafficLimits | undefined;
}

/** True where HTTP+JSON is served below the mount too. */
export function hasRest({ dialect }: ResolvedMount): boolean {
  return dialect.jsonRpcOnly !== true;
}

interface MountSurroundings {
  readonly basePath: string;
  readonly agents: ReadonlyMap<string, unknown>;
  /** Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
  /** As the server sets them. */
  readonly limits?: LimitSettings | undefined;
}

/**
 * The addresses that clients of the dialects expect (design: Addresses), and those that the settings add or change. The
 * longest path comes first: it is the closest to what was asked for.
 */
export function resolveMounts(
  given: readonly Mount[] = [],
  { basePath, agents, dialects = BUILT_IN_DIALECTS, limits }: MountSurroundings,
): readonly ResolvedMount[] {
  const mountOf: MakeMount = ({ path, dialect, agent, limits: own }) => {
    requireMountPath(path);
    const resolved = resolveMountLimits(path, dialect, own, limits);
    const isListed = dialect.addresses?.isListed === true;
    const traffic = mountTraffic(path, dialect, own, limits);
    return { path: normalPath(path), dialect, agent, isListed, limits: resolved, traffic };
  };
  const found = given.map((mount): FoundMount => ({ ...mount, dialect: dialects.named(mount.dialect) }));
  const byPath = new Map<string, ResolvedMount>();
  for (const mount of found) {
    const one = mountOf(mount);
    if (byPath.has(one.path)) throw new TypeError(`Two mounts have the path ${one.path || '/'}`);
    if (one.agent !== undefined && !agents.has(one.agent)) {
      const known = [...agents.keys()].join(', ');
      throw new TypeError(`The agent "${one.agent}" of the mount ${one.path} is not one of: ${known}`);
    }
    byPath.set(one.path, one);
  }
  const add = (mount: ResolvedMount) => {
    const other = byPath.get(mount.path);
    if (!other) byPath.set(mount.path, mount);
    else if (dialects.isAdded(mount.dialect) && dialects.isAdded(other.dialect) && !isGiven.has(other)) {
      const names = [other, mount].map(({ dialect }) => `"${dialects.nameOf(dialect)}"`).join(' and ');
      throw new TypeError(`The dialects ${names} have the same mount, ${mount.path || '/'}`);
    }
  };
  const isGiven = new Set(byPath.values());
  for (const mount of found) for (const below of formsBelow(mount)) add(mountOf(below));
  for (const mount of dialects.all.flatMap((dialect) => usualMounts(dialect, basePath))) add(mountOf(mount));
  return [...byPath.values()].sort((one, other) => other.path.length - one.path.length);
}

/** A mount whose dialect is found, before its path and its limits are resolved. */
interface FoundMount extends Pick<Mount, 'path' | 'limits'> {
  readonly dialect: Dialect;
  readonly agent?: string | undefined;
}

type MakeMount = (mount: FoundMount) => ResolvedMount;

/** The probes, the console and what is well known stay what they are. */
const RESERVED: readonly string[] = [...LIVENESS, READINESS, METRICS, CONSOLE, '/.well-known'];

function requireMountPath(path: unknown): void {
  if (typeof path !== 'string') throw new TypeError('A mount needs a path');
  if (/[?#\s]/.test(path)) throw new TypeError(`The mount ${path} is no path: it has a query, a fragment or a space`);
  const taken = RESERVED.find((reserved) => `${normalPath(path)}/`.startsWith(`${reserved}/`));
  if (taken !== undefined)
    throw new TypeError(`The mount ${path} is not possible: ${taken} is an address of the server itself`);
}

function usualMounts(dialect: Dialect, basePath: string): readonly FoundMount[] {
  const paths = dialect.addresses?.mounts?.(basePath) ?? [];
  return paths.map((path) => ({ path, dialect })).flatMap((mount) => [mount, ...formsBelow(mount)]);
}

/** Another form of the mount's dialect, which is spoken below it. */
function formsBelow({ path, dialect, agent, limits }: FoundMount): readonly FoundMount[] {
  const below = dialect.addresses?.below;
  return below ? [{ path: `${normalPath(path)}/${below.segment}`, dialect: below.dialect, agent, limits }] : [];
}
