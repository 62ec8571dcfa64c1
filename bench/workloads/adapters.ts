import { send } from '../load/requests.ts';
import { ADAPTER_KINDS, type AdapterKind, type ServerKind } from '../servers/protocol.ts';
import { CONNECTIONS, requests } from './requests.ts';
import { CHUNKS, measureStreams, STREAMS } from './streams/streams.ts';
import { against, type Target, type Workload } from './workload.ts';

/** Those that stand on `node:http` as the listener does. */
const ON_NODE: readonly AdapterKind[] = ['node', 'express', 'express4', 'fastify', 'koa'];

function targets(workload: string, limit: number): readonly Target[] {
  return ON_NODE.map((kind) => against(workload, kind, limit, 'listen'));
}

const COMMON = {
  group: 'adapters',
  unit: 'µs',
  servers: ADAPTER_KINDS,
  base: 'listen',
  // Building the app of Next takes longer than all the rest.
  rounds: (kind: ServerKind, isQuick: boolean) => (isQuick && kind === 'next' ? 0 : Number.POSITIVE_INFINITY),
  hasWarmUp: true,
} as const;

export const adapterSends: Workload = {
  ...COMMON,
  name: 'adapters-send',
  title: `SendMessage, ${CONNECTIONS} connections`,
  targets: targets('adapters-send', 2),
  measure: (server, { isQuick }) => requests(server, isQuick ? 1000 : 6000, () => send({ chunks: 1 })),
};

export const adapterStreams: Workload = {
  ...COMMON,
  name: 'adapters-streams',
  title: `${STREAMS} streams of ${CHUNKS} chunks, per event`,
  targets: targets('adapters-streams', 1.5),
  measure: (server, { isQuick }) => measureStreams(server, { chunks: CHUNKS }, isQuick ? 5 : 40),
};
