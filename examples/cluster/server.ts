// One node of a cluster. Any number of them share DATABASE_URL, and NATS_URL where there is one.
import { A2AServer } from 'parley-a2a';
import { nats } from 'parley-a2a/nats';
import { closeOnSignals } from 'parley-a2a/node';
import { postgres } from 'parley-a2a/postgres';
import { counter } from './agent.ts';

const { DATABASE_URL, NATS_URL, PUBLIC_URL, PORT = '4000', HOST = '127.0.0.1' } = process.env;
if (!DATABASE_URL) throw new Error('DATABASE_URL is not set: the address of the database that all nodes share');

const server = new A2AServer({
  agents: [counter],
  store: postgres(DATABASE_URL),
  // Without NATS, nodes hear of each other over the database.
  ...(NATS_URL && { bus: nats(NATS_URL) }),
  // The address of the balancer stands on the card: that of a node would be of no use to clients.
  ...(PUBLIC_URL && { publicUrl: PUBLIC_URL }),
  // Shorter than the time that Kubernetes and Compose leave a container before they kill it.
  drainTimeout: 20_000,
  metrics: true,
});
closeOnSignals(server);
await server.listen({ port: Number(PORT), host: HOST });
console.log(`Listening on ${server.url}`);
