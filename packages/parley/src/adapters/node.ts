import type { IncomingMessage, ServerResponse } from 'node:http';
import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { httpError } from '../server/http/responses.ts';
import { belowPrefix, normalPath } from '../server/routing/paths.ts';
import { serveNode, targetOf } from './node/node-exchange.ts';
import { writeResponse } from './node/node-response.ts';

export { type Closable, type CloseOnSignalsOptions, closeOnSignals } from './node/close-on-signals.ts';
export { logStrayErrors } from './stray-errors.ts';

export interface NodeOptions {
  /** The path that the server is mounted at, e.g. `/agents`; the addresses on cards include it. Default: the root. */
  readonly prefix?: string | undefined;
}

/** With a third argument, requests for other addresses go on to it; without, the response is "not found". */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void;

/**
 * A request listener for `node:http`, which is also a middleware as `connect` has them.
 *
 * @example
 * createServer(a2aNode(new A2AServer({ agents: [hello] }))).listen(4000);
 */
export function a2aNode(server: HostedServer, options: NodeOptions = {}): NodeListener {
  const core = coreOf(server, 'a2aNode');
  core.start();
  const prefix = normalPath(options.prefix ?? '');
  return (incoming, outgoing, next) => {
    const target = targetOf(incoming.url);
    const url = belowPrefix(target, prefix);
    if (next && (url === undefined || !core.serves(url, prefix))) {
      next();
    } else if (url === undefined) {
      const response = httpError('NOT_FOUND', `Nothing is served outside of ${prefix}`);
      const { log, limits } = core;
      writeResponse(outgoing, response, { method: incoming.method, stallTimeout: limits.stallTimeout, log });
    } else {
      void serveNode(core, { incoming, outgoing, url, prefix, parsed: 'body' in incoming ? incoming.body : undefined });
    }
  };
}
