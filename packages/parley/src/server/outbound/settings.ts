import { AllowList } from './allow-list.ts';
import { LOOPBACK } from './special-addresses.ts';

/** The addresses of a name, in the order in which they are tried. Throws or returns none where it has none. */
export type ResolveName = (host: string) => Promise<readonly string[]> | readonly string[];

export interface OutboundOptions {
  /**
   * Networks, addresses and names that are allowed although they are not public, with or without a port: `10.0.0.0/8`,
   * `hooks.internal:8443`.
   */
  readonly allow?: readonly string[] | undefined;
  /** Allowed schemes. Default `https` and `http`. */
  readonly schemes?: readonly ('https' | 'http')[] | undefined;
  /** Allowed ports. Default: 80, 443, and those above 1023 that browsers do not refuse. */
  readonly ports?: readonly number[] | undefined;
  /** Resolves names. Default: as the machine does. */
  readonly resolve?: ResolveName | undefined;
  /** Allows the loopback interface, for a server that only this machine reaches. A function is called each time. */
  readonly allowLoopback?: boolean | (() => boolean) | undefined;
  /** Certificates (PEM) of authorities to trust instead of the usual ones. */
  readonly ca?: string | readonly string[] | undefined;
}

/** The rules of a guard. */
export interface OutboundSettings {
  readonly allow: AllowList;
  readonly loopback: AllowList;
  readonly allowsLoopback: () => boolean;
  readonly schemes: ReadonlySet<string>;
  /** Undefined stands for the usual ones. */
  readonly ports: ReadonlySet<number> | undefined;
  readonly resolve: ResolveName | undefined;
  readonly ca: string | readonly string[] | undefined;
}

const SCHEMES: readonly string[] = ['https', 'http'];

/** Reads the options. Throws a TypeError that names the first one that is wrong; `name` stands before its name. */
export function readSettings(options: OutboundOptions, name = ''): OutboundSettings {
  const { allow = [], schemes = SCHEMES, ports, resolve, allowLoopback = false, ca } = options;
  for (const [option, value] of Object.entries({ allow, schemes, ports: ports ?? [] })) {
    if (!Array.isArray(value)) throw new TypeError(`${name}${option} is a list`);
  }
  const unknown = schemes.find((scheme) => !SCHEMES.includes(scheme));
  if (unknown !== undefined || schemes.length === 0) {
    throw new TypeError(`${name}schemes: there are https and http, not ${JSON.stringify(unknown ?? [])}`);
  }
  const wrong = ports?.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
  if (wrong !== undefined || ports?.length === 0) {
    throw new TypeError(`${name}ports: a port is a whole number from 1 to 65535, not ${JSON.stringify(wrong ?? [])}`);
  }
  if (resolve !== undefined && typeof resolve !== 'function') throw new TypeError(`${name}resolve is a function`);
  return {
    allow: new AllowList(allow, `${name}allow`),
    loopback: new AllowList(LOOPBACK),
    allowsLoopback: typeof allowLoopback === 'function' ? allowLoopback : () => allowLoopback,
    schemes: new Set(schemes),
    ports: ports && new Set(ports),
    resolve,
    ca,
  };
}
