import { Connection } from '../../load/connection.ts';
import { type Script, sendStreaming } from '../../load/requests.ts';
import { readStream } from '../../load/streams.ts';
import { percentiles } from '../../load/unary.ts';
import type { ServerProcess } from '../../server-process.ts';
import { SERVER_KINDS, type ServerKind } from '../../servers/protocol.ts';
import { against, costOf, quotient, rateAgainst, type Sample, type Target, type Workload } from '../workload.ts';

export const CHUNKS = 100;
export const STREAMS = 32;

/** So many streams at a time, one after the other on each connection; latency is that of a whole stream. */
export async function streams(port: number, script: Script, each: number, isOver?: () => boolean): Promise<Streamed> {
  const times: number[] = [];
  let events = 0;
  const lane = async (): Promise<void> => {
    const connection = await Connection.open(port);
    for (let turn = 0; turn < each && !isOver?.(); turn++) {
      const started = performance.now();
      const read = await readStream(connection, sendStreaming(script), script.chunks);
      events += read;
      times.push(performance.now() - started);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: STREAMS }, lane));
  return { events, times };
}

interface Streamed {
  readonly events: number;
  readonly times: readonly number[];
}

export async function measureStreams(server: ServerProcess, script: Script, each: number): Promise<Sample> {
  const { cpu, seconds, result } = await costOf(server, () => streams(server.port, script, each));
  return { figure: cpu / result.events, rate: result.events / seconds, ...percentiles(result.times) };
}

/** The official SDK needs so long for an event that fewer streams are enough. */
export function streamsEach(kind: ServerKind, isQuick: boolean): number {
  if (kind === 'official' || kind === 'grpc-official') return isQuick ? 1 : 3;
  return isQuick ? 20 : 40;
}

export const pacedStreams: Workload = {
  name: 'streams',
  title: `${STREAMS} streams of ${CHUNKS} chunks, per event`,
  group: 'streams',
  unit: 'µs',
  servers: SERVER_KINDS,
  hasWarmUp: true,
  targets: [
    against('streams', 'memory', 1),
    rateAgainst('streams', 'memory', 1, 'simple'),
    against('streams', 'sqlite', 2.5),
    rateAgainst('streams', 'sqlite', 15, 'official'),
  ],
  measure: (server, { isQuick }) => measureStreams(server, { chunks: CHUNKS }, streamsEach(server.kind, isQuick)),
};

export const freeStreams: Workload = {
  ...pacedStreams,
  name: 'streams-free',
  title: 'the same without pacing',
  targets: [],
  measure: (server, { isQuick }) =>
    measureStreams(server, { chunks: CHUNKS, pace: 'free' }, streamsEach(server.kind, isQuick)),
};

const OFFICIAL_MOST = 5000;
/** A short round is over before the compiler is. */
const SETTLED_EVENTS = 300_000;
const FEWEST_ROUNDS = 8;

function longStream(chunks: number, isInQuick: boolean, targets: readonly Target[]): Workload {
  return {
    name: `long-${chunks}`,
    title: `one stream of ${chunks.toLocaleString('en')} chunks, time`,
    group: 'long',
    unit: 'ms',
    servers: SERVER_KINDS.filter((kind) => kind !== 'official' || chunks <= OFFICIAL_MOST),
    rounds: (kind, isQuick) => {
      if (isQuick && (!isInQuick || kind === 'official')) return 0;
      return kind === 'official' ? 1 : 3;
    },
    hasWarmUp: false,
    settledAfter: Math.max(FEWEST_ROUNDS, SETTLED_EVENTS / chunks),
    targets,
    measure: async (server) => {
      const connection = await Connection.open(server.port);
      const body = sendStreaming({ chunks });
      const { seconds, result } = await costOf(server, () => readStream(connection, body, chunks));
      connection.close();
      return { figure: seconds * 1000, rate: result / seconds };
    },
  };
}

function growth(kind: ServerKind): Target {
  return {
    kind,
    label: '× own time for 2,000',
    limit: 60,
    bound: 'most',
    value: (look) => quotient(look('long-100000', kind), look('long-2000', kind)),
  };
}

/** The limits hold for each length. */
function timeTargets(chunks: number): readonly Target[] {
  return [against(`long-${chunks}`, 'memory', 1.5), against(`long-${chunks}`, 'sqlite', 3)];
}

export const longStreams: readonly Workload[] = [
  longStream(2000, true, timeTargets(2000)),
  longStream(5000, false, timeTargets(5000)),
  longStream(100_000, true, [...timeTargets(100_000), growth('memory'), growth('sqlite')]),
];
