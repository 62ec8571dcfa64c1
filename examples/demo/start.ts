import { A2AServer } from 'parley-a2a';
import { logStrayErrors } from 'parley-a2a/node';
import { agents } from '../agents/index.ts';
import { greeting } from './greeting.ts';
import { readSettings } from './settings.ts';
import { openStore } from './store.ts';
import { trouble } from './trouble.ts';

/** Under npm, Ctrl+C comes twice: from the terminal and from npm. Only a later signal means that waiting takes too long. */
const ECHO_MILLISECONDS = 500;

/** One line for the person who started it, never a stack. */
function giveUp(error: unknown): never {
  console.error(trouble(error));
  process.exit(1);
}

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const { port, host, database } = settings;
  // The demo has no users to keep apart: whoever can reach it may call its agents and list its tasks.
  const server = new A2AServer({
    agents,
    store: openStore(database),
    anonymous: 'shared',
    open: true,
    interceptors: [logStrayErrors()],
  });
  await server.listen({ port, host });

  let stoppedAt: number | undefined;
  const stop = () => {
    if (stoppedAt === undefined) {
      stoppedAt = Date.now();
      server.close().then(() => process.exit(0), giveUp);
    } else if (Date.now() - stoppedAt > ECHO_MILLISECONDS) {
      process.exit(1);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  console.log(greeting(server, settings, Object.keys(agents)));
}

start().catch(giveUp);
