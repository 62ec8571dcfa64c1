import type { Dialect } from '../../dialects/dialect.ts';
import { BUILT_IN_DIALECTS, type DialectName } from '../../dialects/registry.ts';
import { normalPath } from './paths.ts';

export type { DialectName };

/** An address that speaks one dialect, whatever its requests look like. */
export interface Mount {
  /** From the root of the host, e.g. `/api/a2a`. The base path itself may be one. */
  readonly path: string;
  readonly dialect: DialectName;
  /** Whom messages go to. Default: the server's default agent. Others are below, at `/agents/NAME`. */
  readonly agent?: string | undefined;
}

export interface ResolvedMount {
  readonly path: string;
  readonly dialect: Dialect;
  readonly agent: string | undefined;
  /** Official clients may use it: it stands on the cards of its version. */
  readonly isListed: boolean;
}

/** Spoken there is an official version, but for details that no client looks at. */
const LISTED: ReadonlySet<string> = new Set(['banterop']);
const OFFICIAL: ReadonlySet<string> = new Set(['v1_0', 'v0_3']);

/** Whether HTTP+JSON is spoken below the mount too. */
export function hasRest({ dialect }: ResolvedMount): boolean {
  return OFFICIAL.has(dialect.name);
}

/** The addresses that systems in use expect (design: Addresses), and those that the settings add or change. */
export function resolveMounts(
  given: readonly Mount[] = [],
  basePath: string,
  agents: ReadonlyMap<string, unknown>,
): readonly ResolvedMount[] {
  const usual: readonly Mount[] = [
    { path: '/api/a2a', dialect: 'rxjs' },
    { path: `${basePath}/v1`, dialect: 'banterop' },
    { path: `${basePath}/stream`, dialect: 'v1_draft-stream' },
  ];
  const byPath = new Map<string, ResolvedMount>();
  for (const mount of usual) byPath.set(mount.path, resolved(mount));
  const seen = new Set<string>();
  for (const mount of given) {
    const one = resolved(mount);
    if (seen.has(one.path)) throw new TypeError(`Two mounts have the path ${one.path || '/'}`);
    if (one.agent !== undefined && !agents.has(one.agent)) {
      const known = [...agents.keys()].join(', ');
      throw new TypeError(`The agent "${one.agent}" of the mount ${one.path} is not one of: ${known}`);
    }
    seen.add(one.path);
    byPath.set(one.path, one);
  }
  // Clients of the draft look for its streams below its address (seed S2).
  for (const { path, dialect, agent } of given.map(resolved)) {
    const below = `${path}/stream`;
    if (dialect.name === 'v1_draft' && !seen.has(below)) {
      byPath.set(below, resolved({ path: below, dialect: 'v1_draft-stream', agent }));
    }
  }
  // The longest path first: it is the closest to what was asked for.
  return [...byPath.values()].sort((one, other) => other.path.length - one.path.length);
}

function resolved({ path, dialect: name, agent }: Mount): ResolvedMount {
  if (typeof path !== 'string') throw new TypeError('A mount needs a path');
  const dialect = BUILT_IN_DIALECTS.named(name);
  return { path: normalPath(path), dialect, agent, isListed: LISTED.has(dialect.name) };
}
