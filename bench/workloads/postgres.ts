import { MeteredStream } from '../load/metered.ts';
import { cancelTask, send, sendStreaming, subscribe } from '../load/requests.ts';
import { openStream } from '../load/streams.ts';
import { call, closedLoop, percentiles } from '../load/unary.ts';
import { postgresCpu } from '../postgres.ts';
import type { ServerProcess } from '../server-process.ts';
import type { PostgresKind } from '../servers/protocol.ts';
import { CONNECTIONS, requests } from './requests.ts';
import { CHUNKS, measureStreams, STREAMS } from './streams/streams.ts';
import { rateAgainst, type Sample, type Settings, type Target, type Workload } from './workload.ts';

const shared = { group: 'postgres', hasWarmUp: true } as const;

const postgresSend: Workload = {
  ...shared,
  name: 'postgres-send',
  title: `SendMessage, ${CONNECTIONS} connections, on one node`,
  unit: 'µs',
  servers: ['sqlite', 'postgres'],
  base: 'sqlite',
  targets: [rateAgainst('postgres-send', 'postgres', 0.5, 'sqlite')],
  measure: (server, { isQuick }) => requests(server, isQuick ? 1000 : 4000, () => send({ chunks: 1 })),
};

const postgresStreams: Workload = {
  ...shared,
  name: 'postgres-streams',
  title: `${STREAMS} streams of ${CHUNKS} chunks, per event, on one node`,
  unit: 'µs',
  servers: ['official', 'sqlite', 'postgres'],
  base: 'sqlite',
  targets: [rateAgainst('postgres-streams', 'postgres', 5, 'official')],
  measure: (server, { isQuick }) => {
    const each = server.kind === 'official' ? 1 : isQuick ? 5 : 20;
    return measureStreams(server, { chunks: CHUNKS }, each);
  },
};

/** Measures with a second node on the same database. */
function withOther(
  measure: (one: ServerProcess, other: ServerProcess, isQuick: boolean) => Promise<Sample>,
  kind: PostgresKind = 'postgres',
): Workload['measure'] {
  return async (server, { isQuick, start }: Settings) => {
    const other = await start(kind);
    try {
      return await measure(server, other, isQuick);
    } finally {
      await other.stop();
    }
  };
}

const most = (name: string, limit: number, field: keyof Sample): Target => ({
  kind: 'postgres',
  label: field === 'figure' ? 'at most' : field,
  limit,
  bound: 'most',
  value: (look) => look(name, 'postgres', field),
});

const alone = { ...shared, servers: ['postgres'], base: 'postgres', hasWarmUp: false } as const;

const twoNodes: Workload = {
  ...alone,
  name: 'postgres-two',
  title: 'CPU of a SendMessage on two nodes together, by that on one',
  unit: '×',
  targets: [most('postgres-two', 1.2, 'figure')],
  measure: withOther(async (one, other, isQuick) => {
    const count = isQuick ? 800 : 4000;
    const load = (node: ServerProcess, share: number) =>
      closedLoop({
        port: node.port,
        connections: CONNECTIONS * share,
        count: count * share,
        body: () => send({ chunks: 1 }),
      });
    const cpuOf = async (work: () => Promise<unknown>) => {
      const before = (await one.ask('usage')).cpu + (await other.ask('usage')).cpu;
      await work();
      return (await one.ask('usage')).cpu + (await other.ask('usage')).cpu - before;
    };
    const both = () => Promise.all([load(one, 0.5), load(other, 0.5)]);
    // Both are warm before anything counts.
    await both();
    const single = await cpuOf(() => load(one, 1));
    return { figure: (await cpuOf(both)) / single };
  }),
};

const METERED = 2;

const events: Workload = {
  ...alone,
  name: 'postgres-events',
  title: 'from the commit on one node to a subscriber on another, at 2,000 events/s: p99',
  unit: 'ms',
  targets: [most('postgres-events', 3, 'p50'), most('postgres-events', 20, 'p99')],
  measure: withOther(async (other, one, isQuick) => {
    const chunks = isQuick ? 500 : 4000;
    const writers = await Promise.all(Array.from({ length: METERED }, () => MeteredStream.open(one.port, chunks)));
    const readers = await Promise.all(
      writers.map(({ taskId }) => MeteredStream.read(other.port, subscribe(taskId), chunks - 1)),
    );
    await one.ask('release');
    await Promise.all(readers.map(({ whenAll }) => whenAll));
    const { commits = [] } = await one.ask('release');
    await Promise.all(writers.map(({ ended }) => ended));
    for (const { connection } of [...writers, ...readers]) connection.close();
    const arrivals = new Map(readers.flatMap((reader) => [...reader.arrivals]));
    const delays = percentiles(
      commits.flatMap(([written, committed]) => {
        const arrived = arrivals.get(written);
        return arrived === undefined ? [] : [(arrived - committed) / 1000];
      }),
    );
    return { figure: delays.p99, ...delays };
  }, 'postgres-watched'),
};

const cancels: Workload = {
  ...alone,
  name: 'postgres-cancel',
  title: 'CancelTask on one node of a run on another: p99',
  unit: 'ms',
  targets: [most('postgres-cancel', 50, 'p99')],
  measure: withOther(async (one, other, isQuick) => {
    const times: number[] = [];
    for (let number = 0; number < (isQuick ? 30 : 200); number += 1) {
      const stream = await openStream(one.port, sendStreaming({ chunks: 2, pace: 'gated' }));
      const begun = performance.now();
      await call(other.port, cancelTask(stream.taskId));
      times.push(performance.now() - begun);
      await stream.ended;
      stream.connection.close();
    }
    const delays = percentiles(times);
    return { figure: delays.p99, ...delays };
  }),
};

const durableRun: Workload = {
  name: 'postgres-steps',
  title: 'a durable run of three steps, each on disk before the next: p50',
  group: 'postgres-steps',
  unit: 'ms',
  servers: ['sqlite-steps', 'postgres-steps'],
  base: 'sqlite-steps',
  hasWarmUp: true,
  targets: [],
  measure: async (server, { isQuick }) => {
    const count = isQuick ? 100 : 500;
    const delays = await closedLoop({ port: server.port, connections: 1, count, body: () => send({ chunks: 1 }) });
    return { figure: delays.p50, p50: delays.p50, p99: delays.p99 };
  },
};

const durableRuns: Workload = {
  name: 'postgres-steps-cpu',
  title: 'CPU of Postgres for a durable run of three steps, 64 at a time',
  group: 'postgres-steps',
  unit: 'µs',
  servers: ['postgres-steps'],
  base: 'postgres-steps',
  hasWarmUp: true,
  targets: [],
  measure: async (server, { isQuick }) => {
    const count = isQuick ? 500 : 4000;
    const before = await postgresCpu();
    const begun = performance.now();
    await closedLoop({ port: server.port, connections: CONNECTIONS, count, body: () => send({ chunks: 1 }) });
    const seconds = (performance.now() - begun) / 1000;
    return { figure: ((await postgresCpu()) - before) / count, rate: count / seconds };
  },
};

export const postgres: readonly Workload[] = [
  postgresSend,
  postgresStreams,
  twoNodes,
  events,
  cancels,
  durableRun,
  durableRuns,
];
