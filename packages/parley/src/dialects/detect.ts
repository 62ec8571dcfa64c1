import { A2AError } from '../model/errors/errors.ts';
import type { Dialect, DialectSigns, ReadHeader } from './dialect.ts';
import { BUILT_IN_DIALECTS, type DialectRegistry } from './registry.ts';
import { v0_3 } from './v0_3/index.ts';
import { v1_0 } from './v1_0/index.ts';

/** The official versions, newest first. */
export const OFFERED_DIALECTS: readonly Dialect[] = [v1_0, v0_3];

/** The version that a request names. */
interface VersionSigns {
  /** The value of the header `A2A-Version`. */
  readonly headerVersion: string | undefined;
  /** The value of the query parameter `A2A-Version`. */
  readonly queryVersion: string | undefined;
}

/** The signs of a JSON-RPC request's dialect. */
export interface RpcSigns extends VersionSigns {
  /** The JSON-RPC method; undefined where the binding has none. */
  readonly method: string | undefined;
  /** The request's parameters as parsed, for dialects that only their content tells apart. */
  readonly params: unknown;
  readonly header?: ReadHeader | undefined;
}

/** The signs of a REST request's dialect. */
export interface RestSigns extends VersionSigns {
  /** The first segment of the path below the agent's address. */
  readonly prefix: string | undefined;
}

interface DetectOptions {
  /** Serve a request without a version by its style, that of its method or path, instead of refusing it. */
  readonly lenient: boolean;
  /** The dialect of the address, whatever the request looks like. */
  readonly pinned?: Dialect | undefined;
  readonly offered?: readonly Dialect[];
  /** Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
}

export interface Detection {
  readonly dialect: Dialect;
  /** The sign that decided, as a short text that is safe in a header. */
  readonly reason: string;
}

/** The version of a request that names none (reference: v1-operations §14). */
const VERSION_WHEN_MISSING = '0.3';
const VERSION = /^(\d+\.\d+)(?:\.\d+)?$/;
const LONGEST_QUOTED_VERSION = 32;

/**
 * Finds the dialect of a JSON-RPC request (reference: mapping §1): the address may have one; else its version decides;
 * without one, the signs of informal dialects, then the style of the method. Throws VERSION_NOT_SUPPORTED, which names the
 * versions that are.
 */
export function detectDialect(signs: RpcSigns, options: DetectOptions): Detection {
  if (options.pinned) return pinnedTo(options.pinned, signs);
  const offered = options.offered ?? OFFERED_DIALECTS;
  return byNamedVersion(signs, offered) ?? bySigns(signs, options) ?? byMethod(signs, options.lenient, offered);
}

/** The dialect of a request whose body cannot be read: that of the version it names, else one that its headers alone prove. */
export function dialectOfHeaders(
  { header, ...version }: VersionSigns & { readonly header: ReadHeader },
  { recognizing }: DialectRegistry = BUILT_IN_DIALECTS,
): Dialect | undefined {
  const requested = requestedVersion(version);
  if (requested) return dialectOfVersion(requested, OFFERED_DIALECTS);
  return recognizing.find(({ signs }) => isProvenBy(header, signs));
}

/** A dialect without a sign for this is asked about a request of which nothing is known but its headers. */
function isProvenBy(header: ReadHeader, { isClient, isRequest }: DialectSigns): boolean {
  return isClient ? isClient(header) : isRequest({ method: '', params: undefined, header });
}

/** The dialect of a REST request whose version is refused: the one that has its path to itself. */
export function dialectOfPrefix(prefix: string | undefined): Dialect | undefined {
  return prefix === undefined ? undefined : OFFERED_DIALECTS.find(({ rest }) => rest.paths.prefix === prefix);
}

/** The same for HTTP+JSON: without a version, the path's first segment tells 0.3. */
export function detectRestDialect(signs: RestSigns, options: DetectOptions): Detection {
  if (options.pinned) return pinnedTo(options.pinned, signs);
  const offered = options.offered ?? OFFERED_DIALECTS;
  return byNamedVersion(signs, offered) ?? byPrefix(signs.prefix, options.lenient, offered);
}

function byNamedVersion(signs: VersionSigns, offered: readonly Dialect[]): Detection | undefined {
  const requested = requestedVersion(signs);
  if (!requested) return undefined;
  return byVersion(requested, signs.headerVersion?.trim() ? 'header' : 'query', offered);
}

/** The header wins. */
function requestedVersion({ headerVersion, queryVersion }: VersionSigns): string | undefined {
  return headerVersion?.trim() || queryVersion?.trim();
}

function dialectOfVersion(requested: string, offered: readonly Dialect[]): Dialect | undefined {
  const version = VERSION.exec(requested)?.[1];
  return offered.find((candidate) => candidate.version === version);
}

function byVersion(requested: string, source: string, offered: readonly Dialect[]): Detection {
  const dialect = dialectOfVersion(requested, offered);
  if (dialect !== undefined) return { dialect, reason: `${source} A2A-Version ${dialect.version}` };
  const quoted = requested.slice(0, LONGEST_QUOTED_VERSION);
  const problem = VERSION.test(requested)
    ? `A2A version ${quoted} is not supported`
    : `"${quoted}" is not an A2A version`;
  throw versionNotSupported(problem, quoted, offered);
}

/** A version that the request still names must be the one spoken there. */
function pinnedTo(pinned: Dialect, signs: VersionSigns): Detection {
  byNamedVersion(signs, [pinned]);
  return { dialect: pinned, reason: 'by its address' };
}

/** Informal dialects, where something in the request is theirs alone. */
function bySigns(
  { method = '', params, header = NO_HEADER }: RpcSigns,
  { lenient, dialects = BUILT_IN_DIALECTS }: DetectOptions,
): Detection | undefined {
  const signs = { method, params, header };
  for (const dialect of dialects.recognizing) {
    const { sign, isRequest, needsLenience = false } = dialect.signs;
    if ((needsLenience && !lenient) || !isRequest(signs)) continue;
    return { dialect, reason: `no A2A-Version, ${sign}${needsLenience ? ', lenient' : ''}` };
  }
  return undefined;
}

const NO_HEADER: ReadHeader = () => undefined;

/** Methods with a slash are 0.3's own; any other name cannot be meant for it. */
function byMethod({ method = '' }: RpcSigns, lenient: boolean, offered: readonly Dialect[]): Detection {
  if (!method.includes('/')) return newer('no slash method', lenient, offered);
  const dialect = offered.find((candidate) => candidate.version === VERSION_WHEN_MISSING);
  if (dialect === undefined) throw withoutVersion(offered);
  return { dialect, reason: 'no A2A-Version, slash method' };
}

/** Routes below 0.3's own segment are its; it has no others. */
function byPrefix(prefix: string | undefined, lenient: boolean, offered: readonly Dialect[]): Detection {
  const dialect = prefix && offered.find((candidate) => candidate.rest.paths.prefix === prefix);
  if (dialect) return { dialect, reason: `no A2A-Version, path below /${prefix}` };
  return newer('no path prefix', lenient, offered);
}

/** A request that cannot be meant for 0.3 is taken for the newest version, where the server is lenient. */
function newer(sign: string, lenient: boolean, offered: readonly Dialect[]): Detection {
  const dialect = lenient ? offered.find((candidate) => candidate.version !== VERSION_WHEN_MISSING) : undefined;
  if (dialect === undefined) throw withoutVersion(offered);
  return { dialect, reason: `no A2A-Version, ${sign}, lenient` };
}

function withoutVersion(offered: readonly Dialect[]): A2AError {
  const problem = `A request without A2A-Version is one of version ${VERSION_WHEN_MISSING}, which cannot serve it here`;
  return versionNotSupported(problem, VERSION_WHEN_MISSING, offered);
}

function versionNotSupported(problem: string, requested: string, offered: readonly Dialect[]): A2AError {
  const supported = [...new Set(offered.map((dialect) => dialect.version))].join(', ');
  return new A2AError('VERSION_NOT_SUPPORTED', `${problem}; supported: ${supported}`, {
    metadata: { supported, requested },
  });
}
