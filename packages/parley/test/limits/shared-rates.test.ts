import type { RateFacet, Store } from 'parley-a2a/ports';
import { postgres } from 'parley-a2a/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RateState } from '../../src/server/limits/rates/rate-store.ts';
import { SharedRates } from '../../src/server/limits/rates/shared-rates.ts';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

/** Counts in memory, by a clock that the test moves. */
function countingFacet() {
  const counts = new Map<string, { total: number; until: number }>();
  const facet = {
    now: 0,
    asked: 0,
    countRate: async (key: string, count: number, window: number) => {
      facet.asked += 1;
      const known = counts.get(key);
      const current = known && known.until > facet.now ? known : { total: 0, until: facet.now + window };
      counts.set(key, current);
      current.total += count;
      return { total: current.total, left: current.until - facet.now };
    },
  };
  return facet;
}

const WINDOW = 60_000;

async function passedOf(states: readonly (RateState | Promise<RateState>)[]): Promise<number> {
  return (await Promise.all(states.map(async (state) => state))).filter(({ exceeded }) => exceeded === undefined)
    .length;
}

describe('rates that nodes share', () => {
  it('let the quota pass and no more, whichever nodes are asked, with few questions to the store', async () => {
    const facet = countingFacet();
    const nodes = [1, 2, 3].map(() => new SharedRates(facet));
    const limit = { requests: 600, window: WINDOW };
    let passed = 0;
    for (let round = 0; round < 1000; round += 1) {
      const node = nodes[round % nodes.length];
      if (node) passed += await passedOf([node.take('ann', limit, facet.now)]);
    }
    expect(passed).toBe(600);
    expect(facet.asked).toBeLessThanOrEqual(24);
  });

  it('hold for requests at the same time, which ask together', async () => {
    const facet = countingFacet();
    const nodes = [1, 2].map(() => new SharedRates(facet));
    const limit = { requests: 10, window: WINDOW };
    const states = nodes.flatMap((node) => Array.from({ length: 50 }, () => node.take('ann', limit, 0)));
    expect(await passedOf(states)).toBe(10);
    expect(facet.asked).toBeLessThanOrEqual(4);
  });

  it('let at most a twentieth less pass for each node that keeps its share', async () => {
    const facet = countingFacet();
    const [one, other] = [new SharedRates(facet), new SharedRates(facet)];
    const limit = { requests: 200, window: WINDOW };
    await other.take('ann', limit, 0);
    let passed = 0;
    for (let round = 0; round < 300; round += 1) passed += await passedOf([one.take('ann', limit, 0)]);
    expect(passed).toBe(190);
  });

  it('begin anew when the window is over, and tell when that is', async () => {
    const facet = countingFacet();
    const rates = new SharedRates(facet);
    const limit = { requests: 2, window: WINDOW };
    expect(await rates.take('ann', limit, 0)).toMatchObject({ exceeded: undefined, remaining: 1 });
    await rates.take('ann', limit, 0);
    facet.now = 20_000;
    expect(await rates.take('ann', limit, 20_000)).toEqual({ exceeded: 'requests', remaining: 0, reset: 40_000 });
    expect(await rates.take('bob', limit, 20_000)).toMatchObject({ exceeded: undefined });
    facet.now = WINDOW;
    expect(await rates.take('ann', limit, WINDOW)).toMatchObject({ exceeded: undefined, reset: WINDOW });
  });

  it('do not count what a burst refuses', async () => {
    const facet = countingFacet();
    const rates = new SharedRates(facet);
    const limit = { requests: 100, window: WINDOW, burst: 3 };
    const states = Array.from({ length: 10 }, () => rates.take('ann', limit, 0));
    expect(await passedOf(states)).toBe(3);
    facet.now = 1000;
    expect(await rates.take('ann', limit, 1000)).toMatchObject({ exceeded: undefined, remaining: 96 });
  });
});

describe('rates in Postgres', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  async function opened(): Promise<Store & { readonly rates: RateFacet }> {
    const store = postgres(database.url);
    await store.open();
    onTestFinished(async () => {
      await store.close();
    });
    if (!store.rates) throw new Error('It has none');
    return { ...store, rates: store.rates };
  }

  it('are counted for all who share the database, whatever is in the name', async () => {
    const [a, b] = [await opened(), await opened()];
    const key = `ann\u0000 ${'é'.repeat(5000)}`;
    expect(await a.rates.countRate(key, 3, WINDOW)).toMatchObject({ total: 3 });
    const { total, left } = await b.rates.countRate(key, 4, WINDOW);
    expect(total).toBe(7);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(WINDOW);
    await database.query('UPDATE parley.rates SET until = 0');
    // The database rounds: a new window may have a millisecond less.
    const again = await a.rates.countRate(key, 1, WINDOW);
    expect(again.total).toBe(1);
    expect(again.left).toBeGreaterThanOrEqual(WINDOW - 1);
  });

  it('hold for two servers together', async () => {
    const limits = { rate: { requests: 10, window: 3_600_000 } };
    const agent = agentOf(() => 'Hello');
    const servers = [1, 2].map(() => startServer(agent, { store: postgres(database.url), limits, drainTimeout: 0 }));
    onTestFinished(async () => void (await Promise.all(servers.map(({ server }) => server.close()))));
    const statuses: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const peer = servers[round % 2]?.peer;
      if (peer) statuses.push((await peer.request('ListTasks', {})).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(10);
  });
});
