/** An MCP server that Parley starts as a process, and talks to over stdin and stdout. */
export interface McpCommand {
  /** The program to start. */
  readonly command: string;
  /** Arguments of the program. */
  readonly args?: readonly string[] | undefined;
  /** Variables beside the few that such servers inherit (`PATH`, `HOME` and the like). */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder to run in. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/** An MCP server at an address (streamable HTTP). */
export interface McpAddress {
  /** The address of the server. */
  readonly url: string | URL;
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface McpToolsLimits {
  /** Milliseconds until the first response of the server. Default 30,000. */
  readonly connectTimeout?: number | undefined;
  /** Milliseconds for one call; each progress notification starts them again. Default 60,000. */
  readonly callTimeout?: number | undefined;
  /** Milliseconds for one call, whatever its progress. Default 600,000. */
  readonly totalTimeout?: number | undefined;
  /** The largest result, in bytes. Default 1 MiB. */
  readonly resultBytes?: number | undefined;
  /** The most tools of the server. Default 128. */
  readonly tools?: number | undefined;
}

export interface McpToolsOptions {
  /** Prefix of each name, joined by `_`, to tell the tools of several servers apart. */
  readonly prefix?: string | undefined;
  /** Only these tools, by the server's names for them. */
  readonly only?: readonly string[] | undefined;
  /** The version to speak. Default: the newest that the server knows, which costs one request first. */
  readonly protocol?: '2026-07-28' | '2025-11-25' | undefined;
  /** Bounds of connections, calls and results. Default: see McpToolsLimits. */
  readonly limits?: McpToolsLimits | undefined;
}

/** A server, with the settings of its tools. */
export type McpSource = (McpCommand | McpAddress) & McpToolsOptions;

const DEFAULT_LIMITS: { readonly [Name in keyof McpToolsLimits]-?: number } = {
  connectTimeout: 30_000,
  callTimeout: 60_000,
  totalTimeout: 600_000,
  resultBytes: 1024 * 1024,
  tools: 128,
};

export type Limits = typeof DEFAULT_LIMITS;

/** Bytes of one message of the server: a result that is as large as it may be, escaped, with what is around it. */
export function messageBytes({ resultBytes }: Limits): number {
  return resultBytes * 2 + 1024 * 1024;
}

/** Throws a TypeError for a limit that is no whole number above 0. */
export function limitsOf(given: McpToolsLimits = {}): Limits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) {
    if (!(name in DEFAULT_LIMITS)) throw new TypeError(`mcpTools: there is no limit ${name}`);
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`mcpTools: limits.${name} must be a whole number above 0, not ${String(value)}`);
    }
  }
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(set) };
}

/** Throws a TypeError for what is no server. */
export function checkSource(source: McpSource): void {
  if ('command' in source) {
    if (typeof source.command === 'string' && source.command !== '') return;
    throw new TypeError('mcpTools: command must be the name of a program');
  }
  if (!('url' in source)) throw new TypeError('mcpTools: give a command or a url');
  const url = URL.parse(String(source.url));
  if (!url) throw new TypeError(`mcpTools: ${JSON.stringify(String(source.url).slice(0, 200))} is not an address`);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`mcpTools: url must be one of http or https, not ${url.protocol}`);
}

/** The server as people know it, for errors. Never its arguments or headers: they may have secrets. */
export function nameOf(source: McpSource): string {
  return 'command' in source ? source.command : new URL(source.url).origin;
}
