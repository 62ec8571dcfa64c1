import { MeteredStream } from '../load/metered.ts';
import { percentiles } from '../load/unary.ts';
import { registerWebhooks, WebhookCounter } from '../load/webhooks.ts';
import type { ServerProcess } from '../server-process.ts';
import type { ServerKind } from '../servers/protocol.ts';
import type { Target, Workload } from './workload.ts';

const SERVERS: readonly ServerKind[] = ['memory', 'sqlite'];
const WEBHOOKS = 200;
/** The end of the artifact, and that of the task. */
const DELIVERIES_EACH = 2;

interface Measured {
  /** Server CPU for one chunk of the stream, in µs, until its last chunk has come. */
  readonly perChunk: number;
  /** Server CPU for one delivery, in µs: all that happens between the last chunk and the last delivery. */
  readonly perDelivery: number;
  readonly delays: readonly number[];
}

/** A stream of 1,000 chunks a second, with so many webhooks on its task. The deliveries are counted apart. */
async function measureStream(server: ServerProcess, chunks: number, webhooks: number): Promise<Measured> {
  const receiver = await WebhookCounter.listen();
  const stream = await MeteredStream.open(server.port, chunks);
  try {
    await registerWebhooks(server.port, [stream.taskId], webhooks, receiver);
    const before = await server.ask('settle');
    await server.ask('release');
    await stream.whenAll;
    const after = await server.ask('usage');
    await server.ask('release');
    await Promise.all([stream.ended, receiver.reached(webhooks * DELIVERIES_EACH)]);
    const end = await server.ask('usage');
    const deliveries = Math.max(1, webhooks * DELIVERIES_EACH);
    return {
      perChunk: (after.cpu - before.cpu) / (chunks - 1),
      perDelivery: (end.cpu - after.cpu) / deliveries,
      delays: stream.delays.slice(1),
    };
  } finally {
    stream.connection.close();
    receiver.close();
  }
}

const MOST_ALLOWED = 1.1;

/** The order of streams without webhooks (0) and with them (1), so that whatever disturbs the machine falls on both. */
const ORDER = [0, 1, 1, 0, 0, 1, 1, 0] as const;

/** What streams with webhooks come to, by those without. `webhooks` = 0 compares a stream with itself: the spread of the machine. */
async function compare(
  server: ServerProcess,
  isQuick: boolean,
  webhooks: number,
  read: (measured: readonly Measured[]) => number,
): Promise<number> {
  const [without, having]: [Measured[], Measured[]] = [[], []];
  for (const which of isQuick ? ORDER.slice(0, 4) : ORDER) {
    const measured = await measureStream(server, isQuick ? 500 : 2000, which === 0 ? 0 : webhooks);
    (which === 0 ? without : having).push(measured);
  }
  return read(having) / read(without);
}

function meanCost(measured: readonly Measured[]): number {
  return measured.reduce((sum, { perChunk }) => sum + perChunk, 0) / measured.length;
}

/** Of all chunks together: a stream has twenty above its own p99, which a collection or a neighbour decides. */
function delayOfMost(measured: readonly Measured[]): number {
  return percentiles(measured.flatMap(({ delays }) => delays)).p99;
}

const STREAM = 'of 2,000 chunks at 1,000/s';

function comparison(name: string, title: string, read: (measured: readonly Measured[]) => number): Workload {
  return {
    name,
    title: `${title} ${STREAM} with ${WEBHOOKS} webhooks, by that without`,
    quickNote: '500 chunks',
    group: 'webhooks',
    unit: '×',
    servers: SERVERS,
    base: 'memory',
    hasWarmUp: true,
    targets: SERVERS.map((kind): Target => {
      return { kind, label: '× without', limit: MOST_ALLOWED, bound: 'most', value: (look) => look(name, kind) };
    }),
    measure: async (server, { isQuick }) => ({ figure: await compare(server, isQuick, WEBHOOKS, read) }),
  };
}

/** No webhooks on either side: what the comparison shows where there is no difference. */
const spread: Workload = {
  ...comparison('webhooks-spread', '', delayOfMost),
  title: `p99 of the delay ${STREAM} without webhooks, by that of the same again`,
  targets: [],
  measure: async (server, { isQuick }) => ({ figure: await compare(server, isQuick, 0, delayOfMost) }),
};

const deliveries: Workload = {
  name: 'webhooks-sent',
  title: `${WEBHOOKS} webhooks told of the end of a task, per delivery`,
  group: 'webhooks',
  unit: 'µs',
  servers: SERVERS,
  base: 'memory',
  hasWarmUp: true,
  targets: [],
  measure: async (server) => ({ figure: (await measureStream(server, 2, WEBHOOKS)).perDelivery }),
};

const IDLE = 10_000;
const IDLE_TASKS = 20;
const REST_MILLISECONDS = 3000;

/**
 * In ms of CPU for each second: the better of two, and not right after a collection, whose threads sweep for a while in
 * proportion to the heap.
 */
async function cpuAtRest(server: ServerProcess): Promise<number> {
  await server.ask('settle');
  await rest(1000);
  const seen: number[] = [];
  for (let round = 0; round < 2; round++) {
    const before = await server.ask('usage');
    await rest(REST_MILLISECONDS);
    const after = await server.ask('usage');
    seen.push((after.cpu - before.cpu) / REST_MILLISECONDS);
  }
  return Math.min(...seen);
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The tasks work and say nothing. What the server does at rest without webhooks is taken off. */
const idle: Workload = {
  name: 'webhooks-idle',
  title: `CPU of a second at rest with ${IDLE.toLocaleString('en')} idle webhooks, more than without`,
  quickNote: '1,000 webhooks',
  group: 'webhooks-idle',
  unit: 'ms',
  servers: SERVERS,
  base: 'memory',
  hasWarmUp: false,
  targets: [],
  measure: async (server, { isQuick }) => {
    const receiver = await WebhookCounter.listen();
    const streams = await Promise.all(Array.from({ length: IDLE_TASKS }, () => MeteredStream.open(server.port, 2)));
    try {
      const without = await cpuAtRest(server);
      const tasks = streams.map(({ taskId }) => taskId);
      await registerWebhooks(server.port, tasks, isQuick ? IDLE / 10 : IDLE, receiver);
      return { figure: Math.max(0, (await cpuAtRest(server)) - without) };
    } finally {
      for (const { connection } of streams) connection.close();
      receiver.close();
    }
  },
};

export const webhooks: readonly Workload[] = [
  comparison('webhooks', 'CPU', meanCost),
  comparison('webhooks-delay', 'p99 of the delay', delayOfMost),
  spread,
  deliveries,
  idle,
];
