import express, { type RequestHandler, type Router } from 'express';
import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { serveNode, targetOf } from './node/node-exchange.ts';

/**
 * A router for Express 5 and 4. Requests for other addresses go on to the routes after it.
 *
 * @example
 * app.use(a2aExpress(new A2AServer({ agents: [hello] })));
 */
export function a2aExpress(server: HostedServer): Router {
  const core = coreOf(server, 'a2aExpress');
  core.start();
  const handler: RequestHandler = (request, response, next) => {
    const { baseUrl: prefix } = request;
    const url = targetOf(request.url);
    if (!core.serves(url, prefix)) return next();
    return serveNode(core, { incoming: request, outgoing: response, url, prefix, parsed: request.body });
  };
  return express.Router().use(handler);
}
