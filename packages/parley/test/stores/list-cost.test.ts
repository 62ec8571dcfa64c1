import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListCursor, ListQuery, Store } from '../../src/engine/ports.ts';
import { sqlite } from '../../src/sqlite.ts';
import { memory } from '../../src/stores/memory.ts';
import { AGENT, ALICE, creation } from './fixtures.ts';

const TASKS = 100_000;
const BATCH = 2_000;
const DEEP: ListCursor = { statusTime: 50, id: 'task' };

describe.each([
  ['memory', () => memory()],
  ['SQLite', () => sqlite(':memory:')],
])('a list of 100,000 tasks: %s', (_, make) => {
  let store: Store;

  beforeAll(async () => {
    store = make();
    await store.open();
    for (let start = 0; start < TASKS; start += BATCH) {
      const entries = Array.from({ length: BATCH }, (_, index) => {
        const number = start + index;
        const state = number % 2 === 0 ? 'completed' : 'working';
        return creation(`task ${number}`, { time: number, state, contextId: 'talk', node: null });
      });
      await store.commit(entries);
    }
  });

  afterAll(async () => {
    await store.close();
  });

  it.each<[string, Partial<ListQuery>]>([
    ['without a filter', {}],
    ['of one state', { state: 'working' }],
    ['of one context', { contextId: 'talk' }],
    ['of one context and state', { contextId: 'talk', state: 'working' }],
  ])('costs the same on the first and on a deep page, %s', async (_, filter) => {
    const query: ListQuery = { agent: AGENT, owner: ALICE, limit: 20, ...filter };
    const first = await cost(store, query);
    const deep = await cost(store, { ...query, after: DEEP });
    expect((await store.list({ ...query, after: DEEP })).heads).toHaveLength(20);
    // A page that had to walk over the tasks before it would be slower by orders of magnitude.
    expect(deep).toBeLessThan(first * 4 + 1);
  });
});

/** The best of several reads, in milliseconds of processor time: what others on the machine do is not counted. */
async function cost(store: Store, query: ListQuery): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 15; turn += 1) {
    const before = process.cpuUsage();
    await store.list(query);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}
