import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import type { Address } from '../server/routing/addresses.ts';
import { belowPrefix, matchedPrefix } from '../server/routing/paths.ts';
import { serveNode, targetOf } from './node/node-exchange.ts';

/**
 * A plugin for Fastify 5 and 4. Hooks of the app hold for its routes; routes that the app has already stay the app's.
 *
 * @example
 * await app.register(a2aFastify(new A2AServer({ agents: [hello] })));
 */
export function a2aFastify(server: HostedServer): FastifyPluginAsync {
  const core = coreOf(server, 'a2aFastify');
  return async (app) => {
    // An app that is not ready yet hears of a store that cannot be opened.
    await core.open();
    // Bodies are the server's own to read. A plugin has parsers of its own: those of other routes stay as they are.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const handler: Handler = async (request, reply) => {
      const target = targetOf(request.raw.url);
      const prefix = matchedPrefix(target, app.prefix);
      const url = belowPrefix(target, prefix) ?? target;
      if (!core.serves(url, prefix)) return reply.callNotFound();
      const body = request.body instanceof Readable ? { payload: request.body } : { parsed: request.body };
      reply.hijack();
      // The reply keeps the headers that hooks have set until it is sent.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      const { raw: incoming } = request;
      await serveNode(core, { incoming, outgoing: reply.raw, url, prefix, ...body });
      return reply;
    };
    for (const url of patternsOf(core.addresses(app.prefix))) addRoute(app, url, handler);
  };
}

function patternsOf(addresses: readonly Address[]): readonly string[] {
  return addresses.flatMap(({ path, below }) => {
    const exact = path === '' || path === '/' ? ['/'] : [path, `${path}/`];
    // A wildcard stands for nothing as well, so that it includes the slash at the end.
    return below ? [...exact.slice(0, 1), `${path}/*`] : exact;
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | void>;

/** The first releases of Fastify 4 cannot be asked for either. */
type FastifyOf4 = Omit<FastifyInstance, 'supportedMethods'> & Partial<Pick<FastifyInstance, 'supportedMethods'>>;

const METHODS_OF_4 = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'OPTIONS'];

function addRoute(app: FastifyInstance, url: string, handler: Handler): void {
  const methods = (app as FastifyOf4).supportedMethods ?? METHODS_OF_4;
  if (!('hasRoute' in app)) {
    for (const method of methods) addUnlessTaken(app, method, url, handler);
    return;
  }
  const free = methods.filter((method) => !app.hasRoute({ method, url: `${app.prefix}${url}` }));
  if (free.length > 0) app.route({ method: free, url, handler });
}

/** Asks by trying. A route for GET would add one for HEAD, which has its own. */
function addUnlessTaken(app: FastifyInstance, method: string, url: string, handler: Handler): void {
  try {
    app.route({ method, url, handler, exposeHeadRoute: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'FST_ERR_DUPLICATED_ROUTE')) throw error;
  }
}
