import type { AddressInfo } from 'node:net';
import { readSettings } from '../demo/settings.ts';
import { openStore } from '../demo/store.ts';
import { greeting } from './greeting.ts';
import { listen } from './node-http.ts';
import { createRelay } from './relay.ts';

async function start(): Promise<void> {
  const { port, host, database } = readSettings({ ...process.env, PARLEY_DB: process.env.PARLEY_DB || 'relay.db' });
  const relay = createRelay({ store: openStore(database) });
  await relay.start();
  const server = await listen(relay.fetch, { port, host });
  const stop = () => {
    server.close();
    relay.close().then(
      () => process.exit(0),
      (error: unknown) => giveUp(error),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  console.log(greeting(`http://${host}:${(server.address() as AddressInfo).port}`, database));
}

/** One line for the person who started it, never a stack. */
function giveUp(error: unknown): never {
  console.error(`relay: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

start().catch(giveUp);
