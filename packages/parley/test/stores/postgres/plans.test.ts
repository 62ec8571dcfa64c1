import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListCursor, ListQuery, Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { countOf } from '../../support/full.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { ALICE, ALL, BOB } from '../fixtures.ts';
import { costOf, statementsOf } from './plans.ts';

/** `POSTGRES_TASKS=1000000` for the figures of docs/operations/stores.md. */
const TASKS = Number(process.env.POSTGRES_TASKS ?? countOf(20_000, 1_000_000));
const PAGE = 50;
/** A page may look at so many rows and blocks, however many tasks there are. */
const MOST_ROWS = PAGE * 25;
const MOST_BLOCKS = PAGE * 16;
const AGENT = 'agent';

let database: TestDatabase;
let store: Store;
let client: pg.Client;

/** Half of the tasks are Alice's, in contexts of 20; one of 100 works, on nodes that are alive but for one of 1000. */
const FILL = `INSERT INTO parley.tasks (id, agent, tenant, subject, context_id, created_at, state, status_time, lease_node,
    lease_number, seq, consumed, asking, open_from, status, metadata)
  SELECT 'task ' || i, 'agent', CASE WHEN i % 10 = 0 THEN 'tenant' WHEN i % 1000 = 7 THEN 'small' ELSE '' END, CASE WHEN i % 2 = 0 THEN 'alice' ELSE 'subject ' || i % 977 END,
    'context ' || i / 20, i, CASE WHEN i % 100 = 1 THEN 'working' WHEN i % 7 = 0 THEN 'failed' ELSE 'completed' END, i,
    CASE WHEN i % 1000 = 1 THEN 'dead node' WHEN i % 100 = 1 THEN 'node ' || i % 3 END, 1, 40, 0, 0, 0,
    '{"state":"completed","timestamp":"2026-01-01T00:00:00.000Z"}', NULL
  FROM generate_series(0, $1 - 1) AS i`;
const FILL_LOG = `INSERT INTO parley.log (task, seq_from, seq_to, kinds, body)
  SELECT key, n * 10 - 9, n * 10, 1, '[]' FROM parley.tasks, generate_series(1, 4) AS n`;
const FILL_COUNTS = `INSERT INTO parley.counts (agent, tenant, subject, state, stripe, tasks)
  SELECT agent, tenant, subject, state, 0, count(*) FROM parley.tasks GROUP BY 1, 2, 3, 4`;
const FILL_AGENT_COUNTS = `INSERT INTO parley.agent_counts (agent, state, stripe, tasks)
  SELECT agent, state, 0, sum(tasks) FROM parley.counts GROUP BY 1, 2`;

beforeAll(async () => {
  database = await openDatabase();
  store = postgres(database.url);
  await store.open();
  await database.query(FILL, [TASKS]);
  for (const fill of [FILL_LOG, FILL_COUNTS, FILL_AGENT_COUNTS, 'VACUUM ANALYZE']) await database.query(fill);
  for (const node of [0, 1, 2]) await store.heartbeat(`node ${node}`, 2 * TASKS);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 1_800_000);

afterAll(async () => {
  await client.end();
  await store.close();
  await database.drop();
});

const MIDDLE = TASKS / 2;
const after = { statusTime: MIDDLE, id: 'task' };
const list = { agent: AGENT, owner: ALICE, limit: PAGE };
const everyone = { agent: AGENT, limit: PAGE };
const ofTenant = { ...everyone, tenant: 'tenant' };

/** Every filter alone and with others. Since a time in the middle of all tasks, what comes before it is counted, which is more than a page. */
const contextId = `context ${MIDDLE / 20}`;
const FILTERS: readonly (readonly [string, Partial<ListQuery>])[] = [
  ['context', { contextId }],
  ['context and state', { contextId, state: 'failed' }],
  ['context and since', { contextId, statusSince: MIDDLE + 5 }],
  ['state', { state: 'failed' }],
  ['rare state', { state: 'canceled' }],
  ['since', { statusSince: TASKS - 100 }],
  ['since and state', { statusSince: TASKS - 100, state: 'failed' }],
  ['since the beginning', { statusSince: 100 }],
  ['since the beginning and state', { statusSince: 100, state: 'failed' }],
  ['all', { contextId, state: 'failed', statusSince: MIDDLE + 5 }],
];

/** A place among what the filter lets pass. */
function placeIn({ contextId: context, statusSince = 0 }: Partial<ListQuery>): ListCursor {
  if (context !== undefined) return { statusTime: MIDDLE + 10, id: 'task' };
  return statusSince > MIDDLE ? { statusTime: TASKS - 50, id: 'task' } : after;
}

/** The first page of every filter, and one behind it. */
function filtered(title: string, query: ListQuery): readonly (readonly [string, () => unknown])[] {
  return FILTERS.flatMap(([name, filter]) => [
    [`${title}, ${name}`, () => store.list({ ...query, ...filter })] as const,
    [`${title}, ${name}, deep page`, () => store.list({ ...query, ...filter, after: placeIn(filter) })] as const,
  ]);
}

/** Everything that is asked while many tasks are there. Filters by context count what fits, by the index alone. */
const QUESTIONS: readonly (readonly [string, () => unknown])[] = [
  ['get', () => store.load(['task 4712'], ALL)],
  ['head', () => store.head('task 4712')],
  ['subscribe', () => store.read('task 4712', 5, { events: 20, bytes: 1e6 })],
  ['subscribe, from the beginning', () => store.read('task 4712', 0, { events: 20, bytes: 1e6 })],
  ['subscribe, at the end', () => store.read('task 4712', 40, { events: 20, bytes: 1e6 })],
  ['list, first page', () => store.list(list)],
  ['list, deep page', () => store.list({ ...list, after })],
  ...filtered('list', list),
  ['list, a caller without tasks', () => store.list({ ...list, owner: BOB })],
  ['list, everyone', () => store.list(everyone)],
  ['list, everyone, deep page', () => store.list({ ...everyone, after })],
  ...filtered('list, everyone', everyone),
  ['list, everyone, frequent state', () => store.list({ ...everyone, state: 'completed' })],
  ['abandoned', () => store.abandoned('node 0', TASKS, 10)],
  ['abandoned, where all live', () => store.abandoned('dead node', TASKS, 10)],
  ['is alive', () => store.isAlive('node 1', 0)],
  ['key', () => store.key({ agent: AGENT, ...ALICE }, 'key', 0)],
  ['context owner', () => store.contextOwner(ALICE, 'context 77')],
  ['queue', () => store.queue?.claim({ node: 'node 0', agents: [AGENT], limit: 10, now: 0 })],
  ['overdue turns', () => store.queue?.overdueTurns(TASKS, 10)],
  ['queued turn', () => store.queue?.queuedTurn('task 4712')],
  ['state of the queue', () => store.queue?.queueState()],
  ['live nodes', () => store.queue?.liveNodes(TASKS)],
  ['journal', () => store.journal('task 4712')],
  ['webhooks of a task', () => store.listPushConfigs({ taskId: 'task 4712', limit: 10 })],
];

/** Operators look at one tenant: a small one is sorted, a large one is found among all. */
const QUESTIONS_OF_TENANTS: typeof QUESTIONS = [
  ['list, one tenant', () => store.list({ ...ofTenant })],
  ['list, small tenant', () => store.list({ ...ofTenant, tenant: 'small' })],
  ['list, small tenant, state', () => store.list({ ...ofTenant, tenant: 'small', state: 'failed' })],
  ['list, one tenant, deep page', () => store.list({ ...ofTenant, after })],
  ...filtered('list, one tenant', ofTenant),
];
/** The kept counts of a small tenant's callers, thrice, and its tasks; or a part of all tasks, until a thousand of the tenant's are found. */
const MOST_OF_TENANT = Math.max(12_000, TASKS / 25);

it('counts the tasks since any time', async () => {
  for (const since of [0, 100, TASKS / 2, TASKS - 5000, TASKS - 100, TASKS]) {
    const [row] = await database.query<{ readonly count: string }>(
      "SELECT count(*) FROM parley.tasks WHERE subject = 'alice' AND tenant = '' AND status_time >= $1",
      [since],
    );
    const { total } = await store.list({ ...list, statusSince: since });
    expect(total).toBe(Number(row?.count));
  }
});

it.each([
  'tenant',
  'small',
  '',
])('lists the tasks of the tenant "%s" in their order, however many it has', async (tenant) => {
  for (const state of [undefined, 'completed', 'failed'] as const) {
    for (const place of [undefined, after]) {
      const rows = await database.query<{ readonly id: string }>(
        `SELECT id FROM parley.tasks WHERE tenant = $1 AND state LIKE $2 AND (status_time, id) < ($3, $4)
          ORDER BY status_time DESC, id DESC LIMIT ${PAGE}`,
        [tenant, state ?? '%', place?.statusTime ?? 2 * TASKS, place?.id ?? ''],
      );
      const { heads } = await store.list({ ...everyone, tenant, state, after: place });
      expect(heads.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    }
  }
});

describe.each([
  ['kept by a session', true],
  ['made for each statement', false],
] as const)(`plans ${'%s'}, with ${TASKS} tasks`, (_, isKept) => {
  it.each([
    ...QUESTIONS.map(([name, ask]) => [name, ask, MOST_ROWS, MOST_BLOCKS] as const),
    ...QUESTIONS_OF_TENANTS.map(([name, ask]) => [name, ask, MOST_OF_TENANT, MOST_OF_TENANT] as const),
  ])('%s looks at no more than it may', async (name, ask, mostRows, mostBlocks) => {
    const sent = await statementsOf(ask);
    expect(sent.length).toBeGreaterThan(0);
    for (const statement of sent) {
      const cost = await costOf(client, statement, isKept);
      if (process.env.POSTGRES_TASKS) console.log(`${name}: ${cost.rows} rows, ${cost.blocks} blocks`);
      expect.soft(cost.scanned.filter((table) => table === 'tasks' || table === 'log')).toEqual([]);
      expect.soft(cost.rows).toBeLessThanOrEqual(mostRows);
      expect.soft(cost.blocks).toBeLessThanOrEqual(mostBlocks);
    }
  });
});
