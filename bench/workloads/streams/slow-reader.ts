import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../load/connection.ts';
import { listCompleted, sendStreaming } from '../../load/requests.ts';
import { openStream } from '../../load/streams.ts';
import { call } from '../../load/unary.ts';
import type { ServerProcess } from '../../server-process.ts';
import type { ServerKind } from '../../servers/protocol.ts';
import type { Target, Workload } from '../workload.ts';

const MEGABYTE = 1024 * 1024;
const CHUNK = 64 * 1024;
const POLL_MILLISECONDS = 50;

/** The highest resident size of a server while one agent writes so many megabytes. */
async function peakOf(server: ServerProcess, megabytes: number, isReading: boolean): Promise<number> {
  const body = sendStreaming({ chunks: (megabytes * MEGABYTE) / CHUNK, bytes: CHUNK });
  try {
    if (isReading) {
      const stream = await openStream(server.port, body);
      await stream.ended;
      stream.connection.close();
      return (await server.ask('usage')).peak;
    }
    const connection = await Connection.open(server.port);
    connection.request(body, () => {}).catch(() => {});
    connection.pause();
    while ((await server.ask('usage')).finished === 0) await sleep(POLL_MILLISECONDS);
    if (server.kind !== 'simple') await completed(server);
    const { peak } = await server.ask('usage');
    connection.close();
    return peak;
  } finally {
    await server.stop();
  }
}

/** What follows the last chunk belongs to the run, too. A list does not carry the 200 MB. */
async function completed({ port }: ServerProcess): Promise<void> {
  for (;;) {
    const { tasks } = (await call(port, listCompleted(1, ''))) as { tasks?: readonly unknown[] };
    if (tasks?.length) return;
    await sleep(POLL_MILLISECONDS);
  }
}

function target(kind: ServerKind): Target {
  return { kind, label: 'MB over a reader', limit: 20, bound: 'most', value: (look) => look('never-reads', kind) };
}

export const neverReads: Workload = {
  name: 'never-reads',
  title: 'a client that never reads 200 MB, memory over a reader',
  quickNote: '50 MB',
  group: 'never-reads',
  unit: 'MB',
  servers: ['memory', 'sqlite', 'simple'],
  rounds: (_, isQuick) => (isQuick ? 1 : 3),
  hasWarmUp: false,
  targets: [target('memory'), target('sqlite')],
  measure: async ({ kind }, { isQuick, start }) => {
    const megabytes = isQuick ? 50 : 200;
    const reading = await peakOf(await start(kind), megabytes, true);
    const ignoring = await peakOf(await start(kind), megabytes, false);
    return { figure: (ignoring - reading) / MEGABYTE };
  },
};
