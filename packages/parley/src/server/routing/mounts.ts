import type { Dialect } from '../../dialects/dialect.ts';
import { BUILT_IN_DIALECTS, type DialectName, type DialectRegistry } from '../../dialects/registry.ts';
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
}

export interface ResolvedMount {
  readonly path: string;
  readonly dialect: Dialect;
  readonly agent: string | undefined;
  /** Official clients may use it: it stands on the cards of its version. */
  readonly isListed: boolean;
}

/** True where HTTP+JSON is served below the mount too. */
export function hasRest({ dialect }: ResolvedMount): boolean {
  return dialect.jsonRpcOnly !== true;
}

export interface MountSurroundings {
  readonly basePath: string;
  readonly agents: ReadonlyMap<string, unknown>;
  /** Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
}

/**
 * The addresses that clients of the dialects expect (design: Addresses), and those that the settings add or change. The
 * longest path comes first: it is the closest to what was asked for.
 */
export function resolveMounts(
  given: readonly Mount[] = [],
  { basePath, agents, dialects = BUILT_IN_DIALECTS }: MountSurroundings,
): readonly ResolvedMount[] {
  const byPath = new Map<string, ResolvedMount>();
  for (const mount of given) {
    const one = mountOf(mount.path, dialects.named(mount.dialect), mount.agent);
    if (byPath.has(one.path)) throw new TypeError(`Two mounts have the path ${one.path || '/'}`);
    if (one.agent !== undefined && !agents.has(one.agent)) {
      const known = [...agents.keys()].join(', ');
      throw new TypeError(`The agent "${one.agent}" of the mount ${one.path} is not one of: ${known}`);
    }
    byPath.set(one.path, one);
  }
  const add = (mount: ResolvedMount) => {
    if (!byPath.has(mount.path)) byPath.set(mount.path, mount);
  };
  for (const mount of [...byPath.values()]) for (const below of formsBelow(mount)) add(below);
  for (const mount of dialects.all.flatMap((dialect) => usualMounts(dialect, basePath))) add(mount);
  return [...byPath.values()].sort((one, other) => other.path.length - one.path.length);
}

function usualMounts(dialect: Dialect, basePath: string): readonly ResolvedMount[] {
  const paths = dialect.addresses?.mounts?.(basePath) ?? [];
  return paths.map((path) => mountOf(path, dialect, undefined)).flatMap((mount) => [mount, ...formsBelow(mount)]);
}

/** Another form of the mount's dialect, which is spoken below it. */
function formsBelow({ path, dialect, agent }: ResolvedMount): readonly ResolvedMount[] {
  const below = dialect.addresses?.below;
  return below ? [mountOf(`${path}/${below.segment}`, below.dialect, agent)] : [];
}

function mountOf(path: string, dialect: Dialect, agent: string | undefined): ResolvedMount {
  if (typeof path !== 'string') throw new TypeError('A mount needs a path');
  return { path: normalPath(path), dialect, agent, isListed: dialect.addresses?.isListed === true };
}
