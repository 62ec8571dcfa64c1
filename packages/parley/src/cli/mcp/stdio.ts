import { once } from 'node:events';
import { watchCards } from '../../bridges/mcp/serving/agents/card-watch.ts';
import { loadStdioPackage } from '../../bridges/mcp/serving/packages.ts';
import { type BridgeServerOptions, bridgeServer } from '../../bridges/mcp/serving/server.ts';
import { stopped } from '../serve/stopped.ts';
import type { Surroundings } from '../surroundings.ts';

/** Serves one client over stdin and stdout, until it closes stdin. What it had begun and not finished is canceled. */
export async function serveStdio(
  parts: BridgeServerOptions,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<void> {
  const { stdin, stdout } = surroundings;
  const { StdioServerTransport, serveStdio: serve } = await loadStdioPackage();
  const servers = new Set<ReturnType<typeof bridgeServer>['server']>();
  const handle = serve(
    ({ era }) => {
      const { server } = bridgeServer(parts, era);
      servers.add(server);
      server.onclose = () => void servers.delete(server);
      return server;
    },
    {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => log(error.message),
    },
  );
  parts.roster.onChange(() => {
    for (const server of servers) server.sendToolListChanged().catch(() => {});
  });
  const unwatch = watchCards(parts.roster);
  // A client that has died reads no more either. The process stays until what it had begun is canceled.
  const gone = Promise.race([once(stdin, 'end'), once(stdin, 'close'), once(stdout, 'error')]).catch(() => {});
  await Promise.race([gone, stopped(surroundings)]);
  unwatch();
  await handle.close();
  await parts.cancellations.settled();
}
