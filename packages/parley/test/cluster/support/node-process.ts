// A node of a cluster, in a process of its own, which is going to be killed and paused:
// node --conditions=parley-source node-process.ts '{"name": …}'
import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { nats } from 'parley-a2a/nats';
import { closeOnSignals } from 'parley-a2a/node';
import { postgres, postgresBus } from 'parley-a2a/postgres';
import { CLUSTER_AGENTS } from './agents.ts';
import { withCommitLog } from './commit-log.ts';
import type { NodeOrders } from './node.ts';

const { name, database, bus, commits, lease, drainTimeout }: NodeOrders = JSON.parse(process.argv[2] ?? '');
flushCompileCache();
// A line is written whole before the commit is told of: what a killed node wrote is never in question.
const log = (entry: object) => appendFileSync(commits, `${JSON.stringify(entry)}\n`);
const say = (message: string, details: Readonly<Record<string, unknown>> = {}) => {
  const error = details.error instanceof Error ? details.error.message : details.error;
  console.error(JSON.stringify({ time: Date.now(), message, ...details, error }));
};
const options: A2AServerOptions = {
  agents: CLUSTER_AGENTS,
  store: withCommitLog(postgres(database), name, log),
  bus: bus === undefined ? postgresBus(database) : nats(bus),
  limits: {
    leaseLifetime: lease,
    heartbeatInterval: lease / 4,
    keepAlive: 1000,
    pollInterval: 250,
    commandTimeout: 5000,
  },
  drainTimeout,
  log: { warn: say, error: say },
};
const server = new A2AServer(options);
closeOnSignals(server);
await server.listen({ port: 0 });
console.log(server.url);
// Nothing is left over if whoever started it is gone.
process.stdin.once('close', () => process.exit()).resume();
