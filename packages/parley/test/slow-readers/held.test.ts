import { describe, expect, it } from 'vitest';
import { Random } from '../crash/load/random.ts';
import { seedOf } from '../crash/load/seed.ts';
import { eventually } from '../support/eventually.ts';
import { BAD_KINDS } from './bad-readers.ts';
import { flood } from './flood.ts';
import { handlesOf, MEGABYTE, whenAlone } from './held.ts';
import { MeasuredServer } from './server.ts';

const seed = seedOf();
const KINDS = [...BAD_KINDS, ...BAD_KINDS];
/** For all of them together, of whom each has 40 MB before it. */
const MOST_WHILE_THERE = 4 * MEGABYTE;
const MOST_AFTERWARDS = 1 * MEGABYTE;

describe(`what a server holds, seed ${seed}`, () => {
  for (const store of ['sqlite', 'memory'] as const) {
    const title = `is as much with readers that do not read as without them, and afterwards as before (${store})`;
    it(`${title} [rule:stream.slow-reader]`, async () => {
      const server = await MeasuredServer.start(store);
      const first = await server.collected();
      await flood(server, [], new Random(seed, 1));
      const before = await whenAlone(server);
      /** The store in memory holds what was written, whoever reads. */
      const ofTask = store === 'memory' ? before.held - first.held : 0;
      const { bad } = await flood(server, KINDS, new Random(seed, 2));
      // The last task, and what was read for those behind, is on its way out of memory.
      await eventually(async () => (await server.collected()).held - before.held - ofTask).toBeLessThan(
        MOST_WHILE_THERE,
      );
      expect((await server.report()).load.subscriptions).toBe(KINDS.length);
      for (const one of bad) one.cut();
      await eventually(async () => handlesOf(await server.report())).toEqual(handlesOf(before));
      const after = await server.collected();
      expect(after.held - before.held - ofTask).toBeLessThan(MOST_AFTERWARDS);
    });
  }
});
