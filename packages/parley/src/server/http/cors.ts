import { type ExchangeRequest, type ExchangeResponse, header, type ResponseHeaders } from '../../bindings/exchange.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { quoted } from '../../model/errors/errors.ts';
import { anything, flag, members, requireRight } from '../../model/options/checks.ts';

export interface CorsOptions {
  /** Pages that may call: `true` for any, or a list of origins, such as `https://app.example.com`. */
  readonly origins: true | string | readonly string[];
  /** Lets browsers send cookies and client certificates. Needs named origins. Default false. */
  readonly credentials?: boolean | undefined;
  /** Headers that requests may have beside those that the server itself reads, such as those of a proxy. Default: none. */
  readonly headers?: readonly string[] | undefined;
  /** Seconds for which browsers may cache the response to a preflight. Default 600. */
  readonly maxAge?: number | undefined;
}

export type CorsSetting = boolean | string | readonly string[] | CorsOptions;

const ALLOWED_METHODS = 'GET, HEAD, POST, DELETE';

const ALLOWED_HEADERS = [
  'content-type',
  'authorization',
  'x-api-key',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'last-event-id',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'traceparent',
  'tracestate',
  'x-a2a-version',
  'x-a2a-client',
  'x-a2a-trace-id',
  'x-a2a-priority',
  'x-a2a-timeout',
  'x-request-id',
  'x-parley-debug',
  'x-parley-files',
  'parley-push-events',
  'parley-push-snapshot',
];

const EXPOSED_HEADERS = [
  'a2a-protocol-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'idempotent-replayed',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-window',
  'www-authenticate',
  'allow',
  'etag',
  'x-parley-dialect',
  'x-parley-files',
].join(', ');

const DEFAULT_MAX_AGE = 600;

/** Lets pages of other origins call the server (S1.12). */
export class Cors {
  /** undefined = any. */
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #credentials: boolean;
  readonly #maxAge: number;
  readonly #headers: string;

  /** `read`: headers that the server reads because of other settings, such as those of API keys. */
  constructor(
    { origins, credentials = false, maxAge = DEFAULT_MAX_AGE, headers = [] }: CorsOptions,
    read: readonly string[] = [],
  ) {
    this.#origins = originsOf(origins);
    this.#credentials = credentials;
    this.#maxAge = maxAge;
    this.#headers = headersOf(headers, read);
    if (!Number.isInteger(maxAge) || maxAge < 0) {
      throw new TypeError(`cors.maxAge must be a number of seconds, not ${shown(maxAge)}`);
    }
    if (credentials && !this.#origins) {
      throw new TypeError('cors.credentials needs the origins by name: any page could act as its visitor otherwise');
    }
  }

  /** Responds to a preflight itself, and makes any other response readable for the page that asked. */
  async around(request: ExchangeRequest, respond: () => Promise<ExchangeResponse>): Promise<ExchangeResponse> {
    return isPreflight(request) ? this.#preflight(request) : this.#readable(request, await respond());
  }

  /** Tells whether pages of an origin may call. */
  allows(origin: string): boolean {
    return !this.#origins || this.#origins.has(origin);
  }

  #preflight(request: ExchangeRequest): ExchangeResponse {
    const granted = this.#grant(request);
    const headers = {
      ...granted,
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': this.#headers,
      'access-control-max-age': String(this.#maxAge),
    };
    return { status: 204, headers: this.#varied(granted ? headers : {}), body: undefined };
  }

  #readable(request: ExchangeRequest, response: ExchangeResponse): ExchangeResponse {
    const granted = this.#grant(request);
    const exposed = granted && { ...granted, 'access-control-expose-headers': EXPOSED_HEADERS };
    return { ...response, headers: this.#varied({ ...response.headers, ...exposed }) };
  }

  #grant({ headers }: ExchangeRequest): ResponseHeaders | undefined {
    const origin = header(headers, 'origin');
    if (origin === undefined) return undefined;
    if (!this.#origins) return { 'access-control-allow-origin': '*' };
    if (!this.allows(origin)) return undefined;
    const granted = { 'access-control-allow-origin': origin };
    return this.#credentials ? { ...granted, 'access-control-allow-credentials': 'true' } : granted;
  }

  /** A response that names its origin must not be kept for another. */
  #varied(headers: ResponseHeaders): ResponseHeaders {
    if (!this.#origins) return headers;
    return { ...headers, vary: headers.vary ? `${headers.vary}, Origin` : 'Origin' };
  }
}

function isPreflight({ method, headers }: ExchangeRequest): boolean {
  if (method !== 'OPTIONS' || header(headers, 'origin') === undefined) return false;
  return header(headers, 'access-control-request-method') !== undefined;
}

/** The first and the last are looked at by themselves. */
const check = members<CorsOptions>({ origins: anything, credentials: flag, maxAge: anything, headers: anything });

/** undefined where the setting leaves it off. `read`: see Cors. */
export function corsOf(setting: CorsSetting | undefined, read?: readonly string[]): Cors | undefined {
  if (setting === undefined || setting === false) return undefined;
  if (setting === true || typeof setting === 'string') return new Cors({ origins: setting }, read);
  if (isList(setting)) return new Cors({ origins: setting }, read);
  if (isPlainObject(setting)) requireRight('', check(setting, 'cors'));
  if (typeof setting === 'object' && setting !== null && 'origins' in setting) return new Cors(setting, read);
  throw new TypeError(`cors must be true, an origin, a list of origins, or { origins }, not ${shown(setting)}`);
}

function originsOf(origins: CorsOptions['origins']): ReadonlySet<string> | undefined {
  if (origins === true || origins === '*') return undefined;
  const list: readonly unknown[] = isList(origins) ? origins : [origins];
  if (list.length === 0) throw new TypeError('cors names no origin; leave it out to switch it off');
  return new Set(list.map(checkedOrigin));
}

function headersOf(headers: readonly string[], read: readonly string[]): string {
  if (!isList(headers)) throw new TypeError(`cors.headers must be a list of header names, not ${shown(headers)}`);
  const wrong = headers.find((name) => !isHeaderName(name));
  if (wrong !== undefined) {
    throw new TypeError(`cors.headers: ${shown(wrong)} is not the name of a header, e.g. "x-correlation-id"`);
  }
  const added = [...read.filter(isHeaderName), ...headers].map((name) => name.toLowerCase());
  return [...new Set([...ALLOWED_HEADERS, ...added])].join(', ');
}

/** The wildcard is none: browsers that send credentials do not know it. */
function isHeaderName(name: unknown): boolean {
  return typeof name === 'string' && name !== '*' && HEADER_NAME.test(name);
}

/** A token (RFC 9110 §5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Browsers send scheme, host and port, in lower case, nothing else: another form would never match. */
function checkedOrigin(origin: unknown): string {
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  if (typeof origin !== 'string' || !url || url.host === '') {
    const hint = origin === '*' ? '; write cors: true for any' : ', e.g. "https://app.example.com"';
    throw new TypeError(`cors: ${shown(origin)} is not an origin${hint}`);
  }
  const form = `${url.protocol}//${url.host}`;
  if (form !== origin) throw new TypeError(`cors: ${shown(origin)} is not an origin; write "${form}"`);
  return origin;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function shown(value: unknown): string {
  return quoted(JSON.stringify(value) ?? String(value));
}
