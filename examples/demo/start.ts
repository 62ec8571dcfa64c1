import { A2AServer } from 'parley-a2a';
import { closeOnSignals, logStrayErrors } from 'parley-a2a/node';
import { startOpenTelemetry } from 'parley-a2a/telemetry';
import { agents, createWriter } from '../agents/index.ts';
import { greeting } from './greeting.ts';
import { isLoopback, readSettings } from './settings.ts';
import { openStore } from './store.ts';
import { trouble } from './trouble.ts';

/** One line for the person who started it, never a stack. */
function giveUp(error: unknown): never {
  console.error(trouble(error));
  process.exit(1);
}

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const { port, host, database, model } = settings;
  const served = model === undefined ? agents : { ...agents, writer: createWriter() };
  const telemetry = await startOpenTelemetry();
  // The demo has no users to keep apart: whoever can reach it may call its agents and list its tasks.
  const server = new A2AServer({
    agents: served,
    store: openStore(database),
    anonymous: 'shared',
    open: true,
    interceptors: [logStrayErrors()],
    metrics: true,
    console: isLoopback(host),
  });
  await server.listen({ port, host });
  const close = async () => {
    await server.close();
    await telemetry?.stop();
  };
  closeOnSignals({ close }, { onError: giveUp });
  console.log(greeting(server, settings, Object.keys(served)));
}

start().catch(giveUp);
