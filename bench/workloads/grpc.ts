import { grpcSend, SEND, SEND_STREAMING } from '../load/grpc/requests.ts';
import { GrpcSession } from '../load/grpc/session.ts';
import { percentiles } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import { GRPC_KINDS } from '../servers/protocol.ts';
import { CHUNKS, STREAMS, streamsEach } from './streams/streams.ts';
import { against, costOf, type Sample, type Workload } from './workload.ts';

/** Clients of gRPC have many calls on one connection. */
const SESSIONS = 8;
const CALLS = 64;

/** Keeps so many calls under way over few connections; `each` returns what a call counts for. */
async function calls(
  server: ServerProcess,
  { lanes, count, each }: { lanes: number; count: number; each: (session: GrpcSession) => Promise<number> },
): Promise<Sample> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => GrpcSession.open(server.port)));
  const times: number[] = [];
  let begun = 0;
  const lane = async (session: GrpcSession): Promise<number> => {
    let worth = 0;
    while (begun < count) {
      begun += 1;
      const started = performance.now();
      worth += await each(session);
      times.push(performance.now() - started);
    }
    return worth;
  };
  const all = Array.from({ length: lanes }, (_, index) => sessions[index % SESSIONS] as GrpcSession);
  const { cpu, seconds, result } = await costOf(server, async () => {
    const worths = await Promise.all(all.map(lane));
    return worths.reduce((sum, worth) => sum + worth, 0);
  });
  for (const session of sessions) session.close();
  return { figure: cpu / result, rate: result / seconds, ...percentiles(times) };
}

const COMMON = {
  group: 'grpc',
  unit: 'µs',
  servers: GRPC_KINDS,
  base: 'grpc-floor',
  hasWarmUp: true,
  usualRounds: 5,
} as const;

const grpcSends: Workload = {
  ...COMMON,
  name: 'grpc-send',
  title: `SendMessage over gRPC, ${CALLS} at a time`,
  targets: [against('grpc-send', 'grpc-memory', 1.6, 'grpc-floor')],
  measure: (server, { isQuick }) =>
    calls(server, {
      lanes: CALLS,
      count: isQuick ? 2000 : 6000,
      each: async (session) => {
        const { messages } = await session.call(SEND, grpcSend({ chunks: 1 }));
        if (messages !== 1) throw new Error(`A call was answered with ${messages} messages`);
        return 1;
      },
    }),
};

const grpcStreams: Workload = {
  ...COMMON,
  name: 'grpc-streams',
  title: `${STREAMS} streams of ${CHUNKS} chunks over gRPC, per event`,
  targets: [against('grpc-streams', 'grpc-memory', 1.3, 'grpc-floor')],
  measure: (server, { isQuick }) =>
    calls(server, {
      lanes: STREAMS,
      count: STREAMS * streamsEach(server.kind, isQuick),
      each: async (session) => {
        const { messages } = await session.call(SEND_STREAMING, grpcSend({ chunks: CHUNKS }));
        if (messages < CHUNKS) throw new Error(`A stream had ${messages} events, not ${CHUNKS}`);
        return messages;
      },
    }),
};

export const grpc: readonly Workload[] = [grpcSends, grpcStreams];
