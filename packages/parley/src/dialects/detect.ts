import { A2AError } from '../model/errors.ts';
import type { Dialect } from './dialect.ts';
import { v1_0 } from './v1_0/index.ts';

/** What can be spoken here, newest first. */
export const OFFERED_DIALECTS: readonly Dialect[] = [v1_0];

/** What a request shows of its dialect. */
export interface DialectSigns {
  /** The value of the header `A2A-Version`. */
  readonly headerVersion: string | undefined;
  /** The value of the query parameter `A2A-Version`. */
  readonly queryVersion: string | undefined;
  /** The JSON-RPC method; undefined where the binding has none. */
  readonly method: string | undefined;
  /** The request's parameters as parsed, for dialects that only their content tells apart. */
  readonly params: unknown;
}

export interface DetectOptions {
  /** Serve a request without a version by the style of its method instead of refusing it. */
  readonly lenient: boolean;
  readonly offered?: readonly Dialect[];
}

export interface Detection {
  readonly dialect: Dialect;
  /** What told it, as a short text that is safe in a header. */
  readonly reason: string;
}

/** What a request without a version is (reference: v1-operations §14). */
const VERSION_WHEN_MISSING = '0.3';
const VERSION = /^(\d+\.\d+)(?:\.\d+)?$/;
const LONGEST_QUOTED_VERSION = 32;

/**
 * Which dialect a request is in (reference: mapping §1): its version decides; without one, the style of the method.
 * Throws VERSION_NOT_SUPPORTED, which names the versions that are.
 */
export function detectDialect(signs: DialectSigns, options: DetectOptions): Detection {
  const offered = options.offered ?? OFFERED_DIALECTS;
  const headerVersion = signs.headerVersion?.trim();
  if (headerVersion) return byVersion(headerVersion, 'header', offered);
  const queryVersion = signs.queryVersion?.trim();
  if (queryVersion) return byVersion(queryVersion, 'query', offered);
  return byMethod(signs.method ?? '', options.lenient, offered);
}

/** What a REST request shows of its dialect. */
export interface RestSigns {
  readonly headerVersion: string | undefined;
  readonly queryVersion: string | undefined;
  /** The first segment of the path below the agent's address. */
  readonly prefix: string | undefined;
}

/** The same for HTTP+JSON: without a version, the path's first segment tells 0.3. */
export function detectRestDialect(signs: RestSigns, options: DetectOptions): Detection {
  const offered = options.offered ?? OFFERED_DIALECTS;
  const headerVersion = signs.headerVersion?.trim();
  if (headerVersion) return byVersion(headerVersion, 'header', offered);
  const queryVersion = signs.queryVersion?.trim();
  if (queryVersion) return byVersion(queryVersion, 'query', offered);
  const prefixed = offered.find((candidate) => candidate.rest.paths.prefix === signs.prefix);
  if (prefixed && signs.prefix !== undefined)
    return { dialect: prefixed, reason: `no A2A-Version, path below /${signs.prefix}` };
  return byMethod('', options.lenient, offered);
}

function byVersion(requested: string, source: string, offered: readonly Dialect[]): Detection {
  const version = VERSION.exec(requested)?.[1];
  const dialect = offered.find((candidate) => candidate.version === version);
  if (dialect !== undefined) return { dialect, reason: `${source} A2A-Version ${dialect.version}` };
  const quoted = requested.slice(0, LONGEST_QUOTED_VERSION);
  const problem =
    version === undefined ? `"${quoted}" is not an A2A version` : `A2A version ${quoted} is not supported`;
  throw versionNotSupported(problem, quoted, offered);
}

/** Methods with a slash are 0.3's own; any other name cannot be meant for it. */
function byMethod(method: string, lenient: boolean, offered: readonly Dialect[]): Detection {
  if (method.includes('/')) {
    const dialect = offered.find((candidate) => candidate.version === VERSION_WHEN_MISSING);
    if (dialect !== undefined) return { dialect, reason: 'no A2A-Version, slash method' };
  } else if (lenient) {
    const dialect = offered.find((candidate) => candidate.version !== VERSION_WHEN_MISSING);
    if (dialect !== undefined) return { dialect, reason: 'no A2A-Version, no slash method, lenient' };
  }
  const problem = `A request without A2A-Version is one of version ${VERSION_WHEN_MISSING}, which cannot serve it here`;
  throw versionNotSupported(problem, VERSION_WHEN_MISSING, offered);
}

function versionNotSupported(problem: string, requested: string, offered: readonly Dialect[]): A2AError {
  const supported = [...new Set(offered.map((dialect) => dialect.version))].join(', ');
  return new A2AError('VERSION_NOT_SUPPORTED', `${problem}; supported: ${supported}`, {
    metadata: { supported, requested },
  });
}
