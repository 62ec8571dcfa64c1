import { join } from 'node:path';
import { A2AServer } from 'parley-a2a';
import { apiKeys, jwt } from 'parley-a2a/auth';
import { closeOnSignals } from 'parley-a2a/node';
import { sqlite } from 'parley-a2a/sqlite';
import { greeter } from './agent.ts';

const { DATA = '.', HOST, PORT = '4000', PUBLIC_URL, ISSUER, AUDIENCE = PUBLIC_URL, TLS_CERT, TLS_KEY } = process.env;
const tls = TLS_CERT && TLS_KEY ? { cert: TLS_CERT, key: TLS_KEY } : undefined;

const server = new A2AServer({
  agents: [greeter],
  store: sqlite(join(DATA, 'tasks.db')),
  auth: [apiKeys(), ...(ISSUER && AUDIENCE ? [jwt({ issuer: ISSUER, audience: AUDIENCE })] : [])],
  url: PUBLIC_URL,
  limits: {
    rate: { requests: 600, window: 60_000, burst: 50 },
    requestsPerCaller: 50,
    bodyBytes: 1_000_000,
    runs: 100,
    runTimeout: 10 * 60_000,
  },
  retention: { tasks: '30d' },
  drainTimeout: 10_000,
});

await server.listen({ host: HOST, port: Number(PORT), tls });
console.log(`Listening on ${server.url}`);
closeOnSignals(server);
