import type { AddressInfo } from 'node:net';
import { memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { onTestFinished } from 'vitest';
import { listen } from '../../../../../examples/relay/node-http.ts';
import { createRelay } from '../../../../../examples/relay/relay.ts';

export interface RunningRelay {
  readonly url: string;
  stop(): Promise<void>;
}

/** The relay on a free port of this machine, in this process. */
export async function startRelay(store: Store = memory()): Promise<RunningRelay> {
  const relay = createRelay({ store });
  await relay.start();
  const server = await listen(relay.fetch, { port: 0, host: '127.0.0.1' });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= relay.close().then(() => {
      server.close();
      server.closeAllConnections();
    });
    return stopping;
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
