import { join } from 'node:path';
import { A2AServer, defineAgent } from 'parley-a2a';
import { nats } from 'parley-a2a/nats';
import { postgres } from 'parley-a2a/postgres';
import { sqlite } from 'parley-a2a/sqlite';
import { POSTGRES_VARIABLE } from '../postgres.ts';
import { noteCommit } from './commit-times.ts';
import { benchServer } from './parley.ts';
import type { PostgresKind } from './protocol.ts';

/** Each step waits until the one before it is on disk, as a payment would. */
const durable = defineAgent({
  name: 'durable',
  description: 'Does three steps',
  version: '1.0.0',
  resumable: true,
  async run(task) {
    let sum = 0;
    for (const step of [1, 2, 3]) sum = await task.step(`step ${step}`, () => sum + step);
    return String(sum);
  },
});

/** The address of a NATS server, for nodes that hear of each other over it. */
const NATS_VARIABLE = 'BENCH_NATS';

/** Starts a node on the database of `BENCH_POSTGRES`, or a server on a file; resolves with its port. */
export async function startNode(kind: PostgresKind, folder: string): Promise<number> {
  const store =
    kind === 'sqlite-steps' ? sqlite(join(folder, 'bench.db')) : postgres(process.env[POSTGRES_VARIABLE] ?? '');
  const isDurable = kind === 'postgres-steps' || kind === 'sqlite-steps';
  const address = process.env[NATS_VARIABLE];
  const bus = address === undefined || kind === 'sqlite-steps' ? undefined : nats(address);
  const server = isDurable ? new A2AServer({ agents: [durable], store, bus }) : benchServer(store, { bus });
  if (kind === 'postgres-watched') server.use({ onEvent: noteCommit });
  const { url } = await server.listen({ port: 0 });
  return Number(new URL(url ?? '').port);
}
