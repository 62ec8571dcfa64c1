import { type Context, Hono } from 'hono';
import { Consumed } from '../bindings/exchange.ts';
import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { belowPrefix, matchedPrefix } from '../server/routing/paths.ts';
import { addressOfRequest, isLocalRequest } from './local-peer.ts';
import { handleFetch, urlOf } from './web/web-exchange.ts';

/**
 * An app for Hono 4. Requests for other addresses go on to the routes after it.
 *
 * @example
 * app.route('/', a2aHono(new A2AServer({ agents: [hello] })));
 */
export function a2aHono(server: HostedServer): Hono {
  const core = coreOf(server, 'a2aHono');
  core.start();
  const app = new Hono();
  app.all('*', async (context, next) => {
    const target = urlOf(context.req.raw);
    // The pattern of this route ends with the star.
    const prefix = matchedPrefix(target, context.req.routePath.replace(/\/?\*$/, ''));
    const url = belowPrefix(target, prefix) ?? target;
    if (!core.serves(url, prefix)) return next();
    const { raw } = context.req;
    const isLocal = () => isLocalRequest(raw, context.env);
    const address = () => addressOfRequest(raw, context.env);
    return handleFetch(core, raw, {
      url,
      prefix,
      isLocal,
      address,
      ...(raw.bodyUsed && { body: await bodyLeft(context) }),
    });
  });
  return app;
}

/**
 * The body that middleware has read; Hono keeps it, unless it was read past Hono. Early releases of Hono 4 return it
 * only in the form in which it was read.
 */
async function bodyLeft({ req }: Context): Promise<unknown> {
  if (req.header('content-length') === '0') return undefined;
  const { arrayBuffer, text, json } = req.bodyCache;
  try {
    if (arrayBuffer === undefined && text !== undefined) return await req.text();
    if (arrayBuffer === undefined && json !== undefined) return await req.json();
    return new Uint8Array(await req.arrayBuffer());
  } catch {
    return new Consumed();
  }
}
