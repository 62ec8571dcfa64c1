import { Connection } from '../load/connection.ts';
import { type Script, sendStreaming } from '../load/requests.ts';
import { readStream } from '../load/streams.ts';
import type { ServerProcess } from '../server-process.ts';
import { MODEL_KINDS, type ModelKind, type ServerKind } from '../servers/protocol.ts';
import { streams } from './streams/streams.ts';
import { costOf, type Sample, type Target, type Workload } from './workload.ts';

const TOKENS = 200;
const TOOL_CALLS = 3;
/** What the runtime may add to a token, in µs of CPU. */
const MOST_ADDED = 30;

function added(workload: string, kind: ModelKind): Target {
  return {
    kind,
    label: 'µs more than streamText alone',
    limit: MOST_ADDED,
    bound: 'most',
    value: (look) => {
      const [own, alone] = [look(workload, kind), look(workload, 'sdk')];
      return own === undefined || alone === undefined ? undefined : own - alone;
    },
  };
}

/** CPU for each token that a model writes, a token in each turn of the event loop. */
function perToken(name: string, title: string, script: Script, servers: readonly ModelKind[]): Workload {
  const tokens = script.chunks * (1 + (script.toolCalls ?? 0));
  return {
    name,
    title,
    group: 'models',
    unit: 'µs',
    servers,
    base: 'sdk',
    usualRounds: 7,
    hasWarmUp: true,
    targets: [added(name, 'llm'), added(name, 'llm-sqlite')],
    measure: async (server, { isQuick }) => {
      const each = isQuick ? 1 : 8;
      const { cpu, seconds, result } = await costOf(server, () => streams(server.port, script, each));
      // Events that are no tokens are part of the cost, and not of the count.
      const written = result.times.length * tokens;
      if (result.events < written) throw new Error(`${result.events} events for ${written} tokens`);
      return { figure: cpu / written, rate: written / seconds };
    },
  };
}

const TOKENS_A_SECOND = 50;
const MOST_DELAY = 20;

interface Span {
  /** Before the delay is watched: all requests come at once. */
  readonly before: number;
  /** How long it is watched. */
  readonly watched: number;
}

const SPAN: Span = { before: 2, watched: 5 };
const QUICK_SPAN: Span = { before: 0.5, watched: 1 };

/** p99 of the event loop's delay in ms, while so many streams write 50 tokens a second. */
async function loopDelay(server: ServerProcess, count: number, { before, watched }: Span): Promise<number> {
  const chunks = TOKENS_A_SECOND * (before + watched);
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(server.port)));
  const script: Script = { chunks, pace: 'speech' };
  const reading = Promise.all(connections.map((connection) => readStream(connection, sendStreaming(script), chunks)));
  reading.catch(() => {});
  await rest(before);
  await server.ask('watch');
  await rest(watched);
  const { loopDelay: delay } = await server.ask('usage');
  await reading;
  for (const connection of connections) connection.close();
  return delay;
}

function rest(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const GENERATORS = 500;

/** Without a model: what so many streams cost the event loop by themselves. */
const generators: Workload = {
  name: 'models-none',
  title: `p99 of the loop's delay with ${GENERATORS} streams of 50 tokens/s of an async generator`,
  quickNote: '100 streams',
  group: 'models-none',
  unit: 'ms',
  servers: ['memory', 'sqlite'],
  base: 'memory',
  hasWarmUp: false,
  targets: (['memory', 'sqlite'] as const).map((kind: ServerKind): Target => {
    return { kind, label: 'ms', limit: MOST_DELAY, bound: 'most', value: (look) => look('models-none', kind) };
  }),
  measure: async (server, { isQuick }) => ({
    figure: await loopDelay(server, isQuick ? 100 : GENERATORS, isQuick ? QUICK_SPAN : SPAN),
  }),
};

const LEVELS = [20, 40, 60, 80, 100, 120, 140, 160, 200, 250, 300, 400, 500] as const;
const QUICK_LEVELS = [10, 20] as const;

/** The highest number of streams that leave the event loop's p99 delay under 20 ms; `p99` is the delay with them. */
async function mostStreams(server: ServerProcess, isQuick: boolean): Promise<Sample> {
  let best: Sample = { figure: 0 };
  for (const count of isQuick ? QUICK_LEVELS : LEVELS) {
    const delay = await loopDelay(server, count, isQuick ? QUICK_SPAN : SPAN);
    if (delay >= MOST_DELAY) break;
    best = { figure: count, rate: count * TOKENS_A_SECOND, p99: delay };
  }
  return best;
}

const most: Workload = {
  name: 'models-most',
  title: `streams of 50 tokens/s of the AI SDK with the loop's p99 delay under ${MOST_DELAY} ms`,
  quickNote: 'at most 20 streams',
  group: 'models-most',
  unit: 'streams',
  servers: ['sdk', 'llm', 'llm-sqlite'],
  base: 'sdk',
  hasWarmUp: false,
  targets: [],
  measure: (server, { isQuick }) => mostStreams(server, isQuick),
};

const WITH_TOOLS = MODEL_KINDS.filter((kind) => kind !== 'yielding' && kind !== 'sdk-written');

export const models: readonly Workload[] = [
  perToken(
    'models-tokens',
    `32 streams of ${TOKENS} tokens of a model, per token`,
    { chunks: TOKENS, pace: 'turns' },
    MODEL_KINDS,
  ),
  perToken(
    'models-tools',
    `the same with ${TOOL_CALLS} calls of a tool between ${TOOL_CALLS + 1} responses of ${TOKENS / 2} tokens`,
    { chunks: TOKENS / 2, pace: 'turns', toolCalls: TOOL_CALLS },
    WITH_TOOLS,
  ),
  generators,
  most,
];
