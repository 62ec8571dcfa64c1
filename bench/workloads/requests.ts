import { getTask, send } from '../load/requests.ts';
import { authorizationLine } from '../load/token.ts';
import { call, closedLoop } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import { SERVER_KINDS } from '../servers/protocol.ts';
import { against, costOf, rateAgainst, type Sample, type Workload } from './workload.ts';

export const CONNECTIONS = 64;
const TASKS = 2000;

export async function requests(
  server: ServerProcess,
  count: number,
  body: (index: number) => string,
  headers?: string,
): Promise<Sample> {
  const { cpu, seconds, result } = await costOf(server, () =>
    closedLoop({ port: server.port, connections: CONNECTIONS, count, body, headers }),
  );
  return { figure: cpu / result.count, rate: result.count / seconds, p50: result.p50, p99: result.p99 };
}

export const sendMessage: Workload = {
  name: 'send',
  title: `SendMessage, ${CONNECTIONS} connections`,
  group: 'send',
  unit: 'µs',
  servers: SERVER_KINDS,
  hasWarmUp: true,
  targets: [
    against('send', 'memory', 1.7),
    against('send', 'sqlite', 2.8),
    rateAgainst('send', 'sqlite', 1.2, 'official'),
  ],
  measure: (server, { isQuick }) => requests(server, isQuick ? 2000 : 6000, () => send({ chunks: 1 })),
};

/** The same with a token on every request, on a server that verifies it and on one that does not look. */
export const sendWithToken: Workload = {
  name: 'send-jwt',
  title: `SendMessage with a JWT, ${CONNECTIONS} connections`,
  group: 'send-jwt',
  unit: 'µs',
  servers: ['memory', 'jwt'],
  base: 'memory',
  hasWarmUp: true,
  targets: [against('send-jwt', 'jwt', 1.2, 'memory')],
  measure: (server, { isQuick }) =>
    requests(server, isQuick ? 2000 : 6000, () => send({ chunks: 1 }), authorizationLine('bench')),
};

/** The same on a server that counts the requests of each caller, and on a second process of the one that does not. */
export const sendWithRate: Workload = {
  name: 'send-rate',
  title: `SendMessage with rate limits, ${CONNECTIONS} connections`,
  group: 'send-rate',
  unit: 'µs',
  servers: ['memory', 'again', 'rate'],
  base: 'memory',
  hasWarmUp: true,
  targets: [against('send-rate', 'rate', 1.1, 'memory')],
  measure: (server, { isQuick }) => requests(server, isQuick ? 2000 : 6000, () => send({ chunks: 1 })),
};

const idsOf: WeakMap<ServerProcess, Promise<readonly string[]>> = new WeakMap();

/** The ids of 2,000 tasks that are made in this server when first asked for. */
export function taskIds(server: ServerProcess): Promise<readonly string[]> {
  let ids = idsOf.get(server);
  if (!ids) {
    ids = makeTasks(server.port);
    idsOf.set(server, ids);
  }
  return ids;
}

async function makeTasks(port: number): Promise<readonly string[]> {
  const ids: string[] = [];
  const lane = async (): Promise<void> => {
    for (let made = 0; made < TASKS / CONNECTIONS; made++) {
      const { task } = (await call(port, send({ chunks: 1 }))) as { task: { id: string } };
      ids.push(task.id);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return ids;
}

export function randomGet(ids: readonly string[]): string {
  return getTask(ids[Math.floor(Math.random() * ids.length)] ?? '');
}

export const getTasks: Workload = {
  name: 'get',
  title: 'GetTask, 2,000 random ids',
  group: 'get',
  unit: 'µs',
  servers: SERVER_KINDS,
  hasWarmUp: true,
  targets: [against('get', 'memory', 1.4), against('get', 'sqlite', 2)],
  measure: async (server, { isQuick }) => {
    const ids = await taskIds(server);
    return requests(server, isQuick ? 3000 : 10_000, () => randomGet(ids));
  },
};
