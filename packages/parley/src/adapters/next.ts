import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { normalPath } from '../server/routing/paths.ts';
import { handleMounted } from './web/web-exchange.ts';

export interface NextOptions {
  /** The folder of the routes below `app`: `/agents` for `app/agents/[[...path]]/route.ts`. Default: the root. */
  readonly prefix?: string | undefined;
  /** The `basePath` of `next.config.ts`, if it has one: Next does not pass it to routes. */
  readonly basePath?: string | undefined;
}

/** A route handler of the App Router. It gets the whole request, so it needs none of the route's parameters. */
export type NextHandler = (request: Request) => Promise<Response>;

/** The exports of a `route.ts`: the methods of JSON-RPC, HTTP+JSON, cards and CORS. */
export interface NextHandlers {
  readonly GET: NextHandler;
  readonly HEAD: NextHandler;
  readonly POST: NextHandler;
  readonly DELETE: NextHandler;
  readonly OPTIONS: NextHandler;
}

/**
 * Serves agents from catch-all routes of Next's App Router, at the paths that the server has anyway. The addresses on cards
 * include both prefixes.
 *
 * @example
 * // app/a2a/[[...path]]/route.ts, and the same in app/.well-known/[...path]/route.ts
 * export const dynamic = 'force-dynamic';
 * export const { GET, HEAD, POST, DELETE, OPTIONS } = a2aNext(server);
 */
export function a2aNext(server: HostedServer, options: NextOptions = {}): NextHandlers {
  const core = coreOf(server, 'a2aNext');
  const mount = normalPath(options.prefix ?? '');
  // Next listens for plain HTTP. `https` in a request's URL is what `X-Forwarded-Proto` said, which anybody can send;
  // the settings of the server say whether there is a proxy in front.
  const call = { prefix: normalPath(options.basePath ?? '') + mount, protocol: 'http' } as const;
  const handler: NextHandler = (request) => handleMounted(core, request, mount, call);
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
