import { A2AServer } from 'parley-a2a';
import { agents } from '../agents/index.ts';
import { greeting } from './greeting.ts';
import { openStore } from './store.ts';

const { PORT = '4000', HOST = '127.0.0.1', PARLEY_DB = 'parley.db' } = process.env;

/** One line for the person who started it, never a stack. */
function giveUp(error: unknown): never {
  console.error(`parley: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function start(): Promise<void> {
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT must be 0 to 65535, not "${PORT}"`);
  const server = new A2AServer({ agents, store: openStore(PARLEY_DB) });
  await server.listen({ port, host: HOST });
  console.log(greeting(server.url ?? '', PARLEY_DB));

  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    server.close().then(() => process.exit(0), giveUp);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

start().catch(giveUp);
