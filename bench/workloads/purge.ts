import { getTask } from '../load/requests.ts';
import { closedLoop } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Sample, Workload } from './workload.ts';

const CONNECTIONS = 8;
/** Tasks that stay, and are asked for. */
const KEPT = 20_000;
const REST_REQUESTS = 20_000;

const body = () => getTask(`seed-${String(Math.floor(Math.random() * KEPT)).padStart(8, '0')}`);

/** The p99 of GetTask while all old tasks are purged, by that without a purge. */
async function measure(server: ServerProcess, isQuick: boolean): Promise<Sample> {
  const load = { port: server.port, connections: CONNECTIONS, body };
  await server.ask(isQuick ? 'fill-less' : 'fill');
  await closedLoop({ ...load, count: REST_REQUESTS / 4 });
  const rest = await closedLoop({ ...load, count: isQuick ? REST_REQUESTS / 4 : REST_REQUESTS });
  let isPurged = false;
  const started = performance.now();
  const purge = server.ask('purge').then(() => {
    isPurged = true;
  });
  const [beside] = await Promise.all([
    closedLoop({ ...load, count: Number.MAX_SAFE_INTEGER, isOver: () => isPurged }),
    purge,
  ]);
  const seconds = (performance.now() - started) / 1000;
  return { figure: beside.p99 / rest.p99, rate: beside.count / seconds, p50: beside.p50, p99: beside.p99 };
}

export const getWhilePurging: Workload = {
  name: 'purge',
  title: `p99 of GetTask while 100,000 tasks are purged, by that without, ${CONNECTIONS} connections`,
  quickNote: '10,000',
  group: 'purge',
  unit: '×',
  servers: ['memory', 'sqlite'],
  seed: () => KEPT,
  rounds: (_, isQuick) => (isQuick ? 1 : 3),
  hasWarmUp: false,
  targets: (['memory', 'sqlite'] as const).map((kind) => ({
    kind,
    label: 'p99 × rest',
    limit: 2,
    bound: 'most' as const,
    value: (look) => look('purge', kind),
  })),
  measure: (server, { isQuick }) => measure(server, isQuick),
};
