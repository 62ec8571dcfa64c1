import type { OperationName } from '../../../src/model/operations.ts';

/** The types of a dialect's requests in the notation of `schema-v1.ts`, and its enums. */
export interface Schema {
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

/** How one operation is called. */
export interface Calling {
  /** The JSON-RPC method; '' where the binding has none. */
  readonly method: string;
  /** Verb and path of REST, such as `GET /tasks/{id}`; '' for JSON-RPC. */
  readonly route: string;
  /** The type of the parameters. */
  readonly type: string;
  /** Right parameters with every member that there is. */
  readonly full: (taskId: string) => Readonly<Record<string, unknown>>;
}

/** A binding and a dialect: one row of every table in this folder. */
export interface Form {
  readonly name: string;
  readonly version: '1.0' | '0.3';
  readonly binding: 'jsonrpc' | 'rest';
  /** The path of the agent's address. */
  readonly base: string;
  /** An error over HTTP+JSON is under the member `error`. In 1.0 it is anyway. */
  readonly wrapsErrors?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly schema: Schema;
  readonly operations: Readonly<Partial<Record<OperationName, Calling>>>;
  /** The least right parameters of a send, with other parts or more members if a test wants. */
  readonly send: (message?: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Under which name a message has its parts. */
  readonly parts: 'parts' | 'content';
  /** One part with a text. */
  readonly textPart: (text: string) => unknown;
  /** One part with any JSON object. */
  readonly dataPart: (data: unknown) => unknown;
  /** One part with bytes of a media type. */
  readonly filePart: (mediaType: string) => unknown;
}

export type Headers = Readonly<Record<string, string | undefined>>;

export const REQUEST_ID = 'q-1';
const ORIGIN = 'http://localhost';

/** The operations of a form and how they are called. */
export function callings(form: Form): readonly (readonly [OperationName, Calling])[] {
  return Object.entries(form.operations) as [OperationName, Calling][];
}

export function callingOf(form: Form, operation: OperationName): Calling {
  const calling = form.operations[operation];
  if (!calling) throw new Error(`${form.name} has no ${operation}`);
  return calling;
}

/** The verb of a REST route; POST for JSON-RPC. */
export function verbOf({ route }: Calling): string {
  return route === '' ? 'POST' : (route.split(' ')[0] ?? '');
}

/** The members that stand in the path of a REST route. */
export function pathMembers({ route }: Calling): readonly string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** A request with these parameters, which need not be right. Headers that are undefined are left out. */
export function requestOf(form: Form, operation: OperationName, params: unknown, headers: Headers = {}): Request {
  const calling = callingOf(form, operation);
  if (form.binding === 'jsonrpc') return post(form, form.base, rpcBody(calling.method, params), headers);
  const { path, rest } = restTarget(calling, params);
  const verb = verbOf(calling);
  if (verb === 'POST') return post(form, `${form.base}${path}`, JSON.stringify(rest) ?? '', headers);
  const query = queryOf(rest);
  return new Request(`${ORIGIN}${form.base}${path}${query}`, { method: verb, headers: defined(form.headers, headers) });
}

/** A POST of bytes or text to where messages are sent. */
export function postTo(form: Form, body: string | Uint8Array<ArrayBuffer>, headers: Headers = {}): Request {
  const { path } = form.binding === 'rest' ? restTarget(callingOf(form, 'sendMessage'), {}) : { path: '' };
  return post(form, `${form.base}${path}`, body, headers);
}

/** The body of a send. */
export function sendBody(form: Form, params: unknown = form.send()): string {
  return form.binding === 'jsonrpc'
    ? rpcBody(callingOf(form, 'sendMessage').method, params)
    : (JSON.stringify(params) ?? '');
}

export function rpcBody(method: unknown, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: REQUEST_ID, method, params });
}

function post(form: Form, path: string, body: string | Uint8Array<ArrayBuffer>, headers: Headers): Request {
  // A text would get a content type of its own; bytes do not.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const json = { 'content-type': 'application/json', ...form.headers };
  return new Request(`${ORIGIN}${path}`, { method: 'POST', body: bytes, headers: defined(json, headers) });
}

function restTarget(calling: Calling, params: unknown): { readonly path: string; readonly rest: unknown } {
  const inPath = pathMembers(calling);
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  const members: Readonly<Record<string, unknown>> = isObject ? { ...params } : {};
  const template = calling.route.split(' ')[1] ?? '';
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(members[name]));
  if (!isObject) return { path, rest: params };
  return { path, rest: Object.fromEntries(Object.entries(members).filter(([name]) => !inPath.includes(name))) };
}

/** A value as one segment of a path; nothing and dots would be other paths. */
function segmentOf(value: unknown): string {
  const text = typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '');
  return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed());
}

function queryOf(params: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    query.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function defined(base: Headers, more: Headers): Record<string, string> {
  const all = Object.entries({ ...base, ...more });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
