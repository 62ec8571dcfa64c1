/** What the adapter needs of a server: `A2AServer` has it. */
export interface NextServer {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A route handler of the App Router. It gets the whole request, so it needs none of the route's parameters. */
export type NextHandler = (request: Request) => Promise<Response>;

/** What a `route.ts` exports: the methods of JSON-RPC, HTTP+JSON, cards and CORS. */
export interface NextHandlers {
  readonly GET: NextHandler;
  readonly HEAD: NextHandler;
  readonly POST: NextHandler;
  readonly DELETE: NextHandler;
  readonly OPTIONS: NextHandler;
}

/**
 * Serves agents from catch-all routes of Next's App Router, at the paths that the server has anyway.
 *
 * @example
 * // app/a2a/[[...path]]/route.ts, and the same in app/.well-known/[...path]/route.ts
 * export const dynamic = 'force-dynamic';
 * export const { GET, HEAD, POST, DELETE, OPTIONS } = a2aNext(server);
 */
export function a2aNext(server: NextServer): NextHandlers {
  const handler: NextHandler = (request) => server.fetch(asReceived(request));
  return { GET: handler, HEAD: handler, POST: handler, DELETE: handler, OPTIONS: handler };
}

/**
 * The same thing for all who ask by that name in this process. Next may load a module more than once, for several routes
 * and after every change in development, and each copy would start a server of its own on the same store.
 *
 * @example
 * export const server = oncePerProcess('a2a', () => new A2AServer({ agents, store: sqlite('a2a.db') }));
 */
export function oncePerProcess<T>(name: string, create: () => T): T {
  const made = madeInProcess();
  if (!made.has(name)) made.set(name, create());
  return made.get(name) as T;
}

/** Copies of this module meet here. */
const MADE = Symbol.for('parley-a2a.next');

function madeInProcess(): Map<string, unknown> {
  const place = globalThis as { [MADE]?: Map<string, unknown> };
  place[MADE] ??= new Map();
  return place[MADE];
}

/**
 * Next listens for plain HTTP. `https` in a request's URL is what a header said, `X-Forwarded-Proto`, which anybody can
 * send; whoever has a proxy in front tells the server so by its settings. The host is that of the header `Host`, whatever
 * the URL says, because `server.fetch` goes by it.
 */
function asReceived(request: Request): Request {
  if (!request.url.startsWith('https:')) return request;
  const { method, headers, body, signal } = request;
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' };
  return new Request(request.url.replace(/^https:/, 'http:'), init);
}
