import { openLoop } from '../load/open-loop.ts';
import { send } from '../load/requests.ts';
import { closedLoop } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Sample, Workload } from './workload.ts';

const TIMES = 4;
const MEGABYTE = 1024 * 1024;
/** The tasks themselves are kept in memory, at about 2 KB each; what is shed must leave nothing. */
const KILOBYTES_PER_TASK = 6;
const MOST_GROWTH = 32 * MEGABYTE;

const body = () => send({ chunks: 1, pace: 'busy' });

async function measure(server: ServerProcess, isQuick: boolean): Promise<Sample> {
  const { port } = server;
  const rest = await closedLoop({ port, connections: 1, count: isQuick ? 200 : 1000, body, mayShed: true });
  // One at a time on two connections: the server always has the next one, and nothing has to wait for long.
  const started = performance.now();
  const busy = await closedLoop({ port, connections: 2, count: isQuick ? 400 : 2000, body, mayShed: true });
  const sustainable = busy.count / ((performance.now() - started) / 1000);
  const before = await server.ask('settle');
  const offered = { port, perSecond: TIMES * sustainable, seconds: isQuick ? 4 : 30, body };
  const { accepted, shed, unsent, missed } = await openLoop(offered);
  const after = await server.ask('settle');
  const growth = after.heap - before.heap;
  const allowed = MOST_GROWTH + accepted.count * KILOBYTES_PER_TASK * 1024;
  if (shed === 0 || accepted.count === 0) throw new Error(`${accepted.count} were accepted and ${shed} were shed`);
  if (missed > (accepted.count + shed) / 3) throw new Error(`the load generator was too slow for ${missed} requests`);
  if (unsent > 0) throw new Error(`${unsent} requests found no connection`);
  if (growth > allowed) throw new Error(`the memory grew by ${Math.round(growth / MEGABYTE)} MB`);
  return {
    figure: accepted.p99 / rest.p99,
    rate: accepted.count / offered.seconds,
    p50: accepted.p50,
    p99: accepted.p99,
  };
}

export const overload: Workload = {
  name: 'overload',
  title: `${TIMES} × the sustainable rate for 30 s, p99 of the accepted by that at rest`,
  quickNote: '4 s',
  group: 'overload',
  unit: '×',
  servers: ['load'],
  rounds: (_, isQuick) => (isQuick ? 1 : 3),
  hasWarmUp: false,
  targets: [{ kind: 'load', label: 'p99 × rest', limit: 5, bound: 'most', value: (look) => look('overload', 'load') }],
  measure: (server, { isQuick }) => measure(server, isQuick),
};
