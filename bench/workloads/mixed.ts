import { closedLoop, type Latencies } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import { SERVER_KINDS, type ServerKind } from '../servers/protocol.ts';
import type { Pace } from '../servers/script.ts';
import { randomGet, taskIds } from './requests.ts';
import { streams } from './streams/streams.ts';
import type { Target, Workload } from './workload.ts';

const CONNECTIONS = 8;

/** GetTask for so long; the streams, if any, go on from before the first to after the last. */
async function gets(server: ServerProcess, milliseconds: number): Promise<Latencies & { readonly count: number }> {
  const ids = await taskIds(server);
  const end = performance.now() + milliseconds;
  return closedLoop({
    port: server.port,
    connections: CONNECTIONS,
    count: Number.POSITIVE_INFINITY,
    body: () => randomGet(ids),
    isOver: () => performance.now() > end,
  });
}

function mixed(name: string, title: string, pace: Pace, targets: readonly Target[]): Workload {
  return {
    name,
    title,
    group: 'mixed',
    unit: '×',
    servers: SERVER_KINDS,
    hasWarmUp: true,
    targets,
    measure: async (server, { isQuick }) => {
      const milliseconds = isQuick ? 400 : 1500;
      const alone = await gets(server, milliseconds);
      let isOver = false;
      const chunks = server.kind === 'official' ? 100 : 1000;
      const streaming = streams(server.port, { chunks, pace }, Number.POSITIVE_INFINITY, () => isOver);
      streaming.catch(() => {});
      const { p50, p99, count } = await gets(server, milliseconds);
      isOver = true;
      await streaming;
      return { figure: p99 / alone.p99, rate: (count / milliseconds) * 1000, p50, p99 };
    },
  };
}

function target(kind: ServerKind, limit: number): Target {
  return { kind, label: '× own p99 alone', limit, bound: 'most', value: (look) => look('mixed', kind) };
}

export const getWhileStreaming: readonly Workload[] = [
  mixed('mixed', 'GetTask p99 while 32 streams run at full speed', 'paced', [target('memory', 2), target('sqlite', 4)]),
  mixed('mixed-steady', 'the same, streams of 800 chunks a second', 'steady', []),
];
