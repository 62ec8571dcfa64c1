import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { A2AServer } from 'parley-a2a';
import { apiKeys } from 'parley-a2a/auth';
import { closeOnSignals } from 'parley-a2a/node';
import { sqlite } from 'parley-a2a/sqlite';
import { agent } from './agent.ts';
import { createApp } from './app.ts';

const { HOST = '127.0.0.1', PORT = '4000', STORE = 'tasks.db', KEYS, PUBLIC_URL } = process.env;

const a2a = new A2AServer({
  agents: [agent],
  store: sqlite(STORE),
  // KEYS=1 lets in only callers with a key of the store: npx parley keys create NAME --db tasks.db
  ...(KEYS && { auth: [apiKeys()] }),
  url: PUBLIC_URL,
});
// Says in one sentence what is wrong with the store, before anybody can call.
await a2a.open();

const server = createApp(a2a).listen(Number(PORT), HOST);
await once(server, 'listening');
console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}`);

closeOnSignals({
  async close() {
    await a2a.close();
    server.close();
  },
});
