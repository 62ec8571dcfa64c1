import { coreOf, type HostedServer } from '../server/core/hosted.ts';
import { normalPath } from '../server/routing/paths.ts';
import { addressOfRequest, isLocalRequest } from './local-peer.ts';
import { handleMounted } from './web/web-exchange.ts';

export interface FetchOptions {
  /** The path that the server is mounted at, e.g. `/agents`; the addresses on cards include it. Default: the root. */
  readonly prefix?: string | undefined;
}

/**
 * A handler of web requests, for Bun, Deno, Workers and whatever else has them. `server.fetch` is the same without a
 * prefix.
 *
 * @example
 * export default { fetch: a2aFetch(new A2AServer({ agents: [hello] }), { prefix: '/agents' }) };
 */
export function a2aFetch(
  server: HostedServer,
  options: FetchOptions = {},
): (request: Request, surroundings?: unknown) => Promise<Response> {
  const core = coreOf(server, 'a2aFetch');
  core.start();
  const prefix = normalPath(options.prefix ?? '');
  return (request, surroundings) =>
    handleMounted(core, request, prefix, {
      isLocal: () => isLocalRequest(request, surroundings),
      address: () => addressOfRequest(request, surroundings),
    });
}
