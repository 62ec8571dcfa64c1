import { resolve } from 'node:path';
import { outliveOutput } from '../broken-output.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';
import { FileWatch } from './file-watch.ts';
import { shortened } from './module-problem.ts';
import { portOf } from './server.ts';
import { agentsOf, readSettings } from './settings/serve-settings.ts';
import { onStop } from './stopped.ts';
import type { WatchedRun } from './watched-child.ts';
import { startServer, WatchedServer } from './watched-server.ts';

/**
 * Runs the server in a process of its own. When a file changes, another process loads the new version; only when that has
 * succeeded does it take the place of the one before, which serves until then.
 */
export async function watchFiles(args: Arguments, surroundings: Surroundings): Promise<number> {
  const { cwd, stderr } = surroundings;
  outliveOutput(surroundings);
  const settings = await readSettings(args, surroundings);
  let port = portOf(settings);
  let isStopping = false;
  const files = agentsOf(settings).filter((file) => typeof file === 'string');
  const watch = new FileWatch([...files.map((file) => resolve(cwd, file)), ...(settings.file ? [settings.file] : [])]);
  const servers = new Set<WatchedServer>();

  const release = onStop(surroundings, () => {
    isStopping = true;
    watch.close();
    for (const server of servers) void server.end();
  });

  const start = (run: WatchedRun): WatchedServer => {
    const server = new WatchedServer(startServer(args, port, run, surroundings), ({ url, files }) => {
      watch.add(files);
      // The port that was free the first time is the one that clients know.
      if (url !== undefined) port = Number(new URL(url).port);
    });
    servers.add(server);
    void server.exited.then(() => servers.delete(server));
    return server;
  };

  let serving: WatchedServer | undefined;
  // One promise until it is used: a change while something else is waited for is not lost.
  let change = watch.next();
  for (let run: WatchedRun = 'first'; !isStopping; run = 'again') {
    const candidate = start(run);
    const isLoaded = await Promise.race([candidate.isLoaded, change.then(() => undefined)]);
    if (isLoaded) {
      await serving?.end();
      candidate.serve();
      serving = candidate;
    } else if (isLoaded === undefined) {
      await candidate.end();
    } else {
      await candidate.gone();
      if (serving?.hasExited === false) stderr.write('parley: The version before goes on serving.\n');
    }
    const file = await Promise.race([change, serving?.exited.then(() => undefined)]);
    if (file === undefined && !isStopping) {
      stderr.write('parley: The server has ended; it starts again when a file changes.\n');
    }
    const changed = await change;
    if (changed === undefined) break;
    stderr.write(`${cleanLine(shortened(changed, cwd))} has changed.\n`);
    change = watch.next();
  }
  await Promise.all([...servers].map(({ exited }) => exited));
  release();
  return EXIT.done;
}
