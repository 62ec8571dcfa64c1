import { listCompleted } from '../load/requests.ts';
import { call, closedLoop } from '../load/unary.ts';
import type { ServerProcess } from '../server-process.ts';
import type { ServerKind } from '../servers/protocol.ts';
import { costOf, quotient, type Sample, type Target, type Workload } from './workload.ts';

const TASKS = 100_000;
const QUICK_TASKS = 20_000;
const PAGE = 50;
const CONNECTIONS = 8;
/** A page of 50 tasks takes so many paths of the code that the compiler is busy for longer than elsewhere. */
const SETTLED_ROUNDS = 24;
const SERVERS: readonly ServerKind[] = ['memory', 'sqlite', 'official'];

async function pages(server: ServerProcess, isQuick: boolean, token: string): Promise<Sample> {
  const count = server.kind === 'official' ? 20 : isQuick ? 200 : 600;
  const body = listCompleted(PAGE, token);
  const { cpu, seconds, result } = await costOf(server, () =>
    closedLoop({ port: server.port, connections: CONNECTIONS, count, body: () => body }),
  );
  return { figure: cpu / result.count, rate: result.count / seconds, p50: result.p50, p99: result.p99 };
}

const deepTokens: WeakMap<ServerProcess, string> = new WeakMap();

/** The token of a page in the middle of the list, found by walking there once in large pages. */
async function deepToken(server: ServerProcess, isQuick: boolean): Promise<string> {
  let token = deepTokens.get(server) ?? '';
  if (token !== '') return token;
  const depth = (isQuick ? QUICK_TASKS : TASKS) / 2;
  const step = 100;
  for (let passed = 0; passed < depth; passed += step) {
    const page = (await call(server.port, listCompleted(step, token))) as { nextPageToken?: string };
    if (!page.nextPageToken) throw new Error(`The list ended after ${passed + step} tasks`);
    token = page.nextPageToken;
  }
  deepTokens.set(server, token);
  return token;
}

const shared = {
  group: 'list',
  unit: 'µs',
  servers: SERVERS,
  seed: (isQuick: boolean) => (isQuick ? QUICK_TASKS : TASKS),
  hasWarmUp: true,
  settledAfter: SETTLED_ROUNDS,
} as const;

export const listFirst: Workload = {
  ...shared,
  name: 'list-first',
  title: 'ListTasks over 100,000 tasks by state, first page',
  quickNote: '20,000 tasks',
  targets: [{ kind: 'sqlite', label: 'µs', limit: 3000, bound: 'most', value: (look) => look('list-first', 'sqlite') }],
  measure: (server, { isQuick }) => pages(server, isQuick, ''),
};

function deepTarget(kind: ServerKind): Target {
  return {
    kind,
    label: '× own first page',
    limit: 2,
    bound: 'most',
    value: (look) => quotient(look('list-deep', kind), look('list-first', kind)),
  };
}

export const listDeep: Workload = {
  ...shared,
  name: 'list-deep',
  title: 'the same, a page in the middle',
  targets: [deepTarget('memory'), deepTarget('sqlite')],
  measure: async (server, { isQuick }) => pages(server, isQuick, await deepToken(server, isQuick)),
};
