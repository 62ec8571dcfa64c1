import { Connection } from '../../load/connection.ts';
import { type Script, sendStreaming, subscribe } from '../../load/requests.ts';
import { EventCounter, type OpenStream, openStream } from '../../load/streams.ts';
import type { ServerProcess } from '../../server-process.ts';
import { SERVER_KINDS, type ServerKind } from '../../servers/protocol.ts';
import { against, costOf, type Target, type Workload } from '../workload.ts';

const KILOBYTE = 1024;
const CONNECTED_AT_ONCE = 100;

interface Subscribers {
  readonly connections: readonly Connection[];
  readonly counters: readonly EventCounter[];
  readonly ended: Promise<unknown>;
}

/** A task that waits at its gate. */
function gatedTask(server: ServerProcess, chunks: number): Promise<OpenStream> {
  const script: Script = { chunks, pace: 'gated' };
  return openStream(server.port, sendStreaming(script));
}

/** Resolves once every subscriber has had its first event. */
async function join(port: number, taskId: string, count: number): Promise<Subscribers> {
  const connections: Connection[] = [];
  const counters: EventCounter[] = [];
  const ends: Promise<void>[] = [];
  for (let from = 0; from < count; from += CONNECTED_AT_ONCE) {
    const size = Math.min(CONNECTED_AT_ONCE, count - from);
    const opened = await Promise.all(Array.from({ length: size }, () => Connection.open(port)));
    await Promise.all(
      opened.map(
        (connection) =>
          new Promise<void>((resolve, reject) => {
            const counter = new EventCounter();
            connections.push(connection);
            counters.push(counter);
            const end = connection.request(subscribe(taskId), (bytes) => {
              counter.add(bytes);
              resolve();
            });
            end.catch(reject);
            ends.push(end);
          }),
      ),
    );
  }
  const ended = Promise.all(ends);
  ended.catch(() => {});
  return { connections, counters, ended };
}

const FAN_OUT = 500;

export const fanOut: Workload = {
  name: 'fan-out',
  title: `${FAN_OUT} subscribers on one task, per delivery`,
  group: 'fan-out',
  unit: 'µs',
  servers: SERVER_KINDS,
  hasWarmUp: true,
  targets: [against('fan-out', 'memory', 1.5, 'limit'), against('fan-out', 'sqlite', 1.5, 'limit')],
  measure: async (server, { isQuick }) => {
    const chunks = server.kind === 'official' ? 33 : isQuick ? 161 : 321;
    const stream = await gatedTask(server, chunks);
    const subscribers = await join(server.port, stream.taskId, FAN_OUT);
    const before = delivered(subscribers);
    const { cpu, seconds } = await costOf(server, async () => {
      await server.ask('release');
      await Promise.all([stream.ended, subscribers.ended]);
    });
    const deliveries = delivered(subscribers) - before;
    for (const connection of [stream.connection, ...subscribers.connections]) connection.close();
    if (deliveries < FAN_OUT * (chunks - 1)) throw new Error(`${deliveries} of ${FAN_OUT * (chunks - 1)} events came`);
    return { figure: cpu / deliveries, rate: deliveries / seconds };
  },
};

function delivered({ counters }: Subscribers): number {
  return counters.reduce((sum, counter) => sum + counter.events, 0);
}

const IDLE = 2000;
const IDLE_ALLOWANCE_KILOBYTES = 8;

function idleTarget(kind: ServerKind): Target {
  return {
    kind,
    label: 'KB over simple',
    limit: IDLE_ALLOWANCE_KILOBYTES,
    bound: 'most',
    value: (look) => {
      const [own, floor] = [look('idle', kind), look('idle', 'simple')];
      return own === undefined || floor === undefined ? undefined : own - floor;
    },
  };
}

/** Heap and buffers after a collection; the resident size also has what the allocator keeps for later. */
export const idleSubscribers: Workload = {
  name: 'idle',
  title: `${IDLE.toLocaleString('en')} idle subscribers, each`,
  group: 'idle',
  unit: 'KB',
  servers: SERVER_KINDS,
  hasWarmUp: true,
  targets: [idleTarget('memory'), idleTarget('sqlite')],
  measure: async (server) => {
    const stream = await gatedTask(server, 2);
    const before = await server.ask('settle');
    const subscribers = await join(server.port, stream.taskId, IDLE);
    const after = await server.ask('settle');
    await server.ask('release');
    await Promise.all([stream.ended, subscribers.ended]);
    for (const connection of [stream.connection, ...subscribers.connections]) connection.close();
    return { figure: (after.heap - before.heap) / IDLE / KILOBYTE };
  },
};
