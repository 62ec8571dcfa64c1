import type { Middleware } from 'koa';
import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { belowPrefix, normalPath, withoutQuery } from '../server/routing/paths.ts';
import { serveNode, targetOf } from './node/node-exchange.ts';

export interface KoaOptions {
  /** The path that the server is mounted at, e.g. `/agents`; not needed below `koa-mount`. Default: the root. */
  readonly prefix?: string | undefined;
}

/**
 * A middleware for Koa 3 and 2. Requests for other addresses go on to the middleware after it.
 *
 * @example
 * app.use(a2aKoa(new A2AServer({ agents: [hello] })));
 */
export function a2aKoa(server: HostedServer, options: KoaOptions = {}): Middleware {
  const core = coreOf(server, 'a2aKoa');
  core.start();
  const own = normalPath(options.prefix ?? '');
  return async (context, next) => {
    const url = belowPrefix(targetOf(context.url), own);
    const prefix = mountOf(context.originalUrl, context.url) + own;
    if (url === undefined || !core.serves(url, prefix)) return next();
    // Koa does not write a response that is written directly.
    context.respond = false;
    const { request, req: incoming, res: outgoing } = context;
    const parsed = 'body' in request ? request.body : undefined;
    return serveNode(core, { incoming, outgoing, url, prefix, parsed });
  };
}

/** The prefix that an outer middleware has taken off the path. */
function mountOf(original: string, present: string): string {
  const whole = withoutQuery(targetOf(original));
  const rest = withoutQuery(targetOf(present));
  if (rest === '/') return normalPath(whole);
  return whole.endsWith(rest) ? whole.slice(0, -rest.length) : '';
}
