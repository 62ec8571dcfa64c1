// One node of a cluster. Any number of them share DATABASE_URL, and NATS_URL where there is one.
import { A2AServer } from 'parley-a2a';
import { apiKeys } from 'parley-a2a/auth';
import { nats } from 'parley-a2a/nats';
import { closeOnSignals } from 'parley-a2a/node';
import { postgres } from 'parley-a2a/postgres';
import { counter } from './agent.ts';

const { DATABASE_URL, NATS_URL, PUBLIC_URL, OPEN, PORT = '4000', HOST = '127.0.0.1' } = process.env;
if (!DATABASE_URL) throw new Error('DATABASE_URL is not set: the address of the database that all nodes share');

const server = new A2AServer({
  agents: [counter],
  store: postgres(DATABASE_URL),
  // Callers need a key. Keys are in the database, so every node knows them: parley keys create ann --store "$DATABASE_URL".
  // OPEN=yes lets in anybody.
  ...(OPEN === 'yes' ? { open: true } : { auth: apiKeys() }),
  // Without NATS, nodes hear of each other over the database.
  ...(NATS_URL && { bus: nats(NATS_URL) }),
  // The card shows the address of the balancer: clients have no use for that of a node.
  ...(PUBLIC_URL && { url: PUBLIC_URL }),
  // Shorter than the time that Kubernetes and Compose leave a container before they kill it.
  drainTimeout: 20_000,
  metrics: true,
});
closeOnSignals(server);
await server.listen({ port: Number(PORT), host: HOST });
console.log(`Listening on ${server.url}`);
