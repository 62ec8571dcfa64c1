import { describe, expect, it } from 'vitest';
import { Random } from '../crash/load/random.ts';
import { seedOf } from '../crash/load/seed.ts';
import { flood } from '../slow-readers/flood.ts';
import { handlesOf, MEGABYTE, whenAlone } from '../slow-readers/held.ts';
import { MeasuredServer } from '../slow-readers/server.ts';
import { eventually } from '../support/eventually.ts';

const seed = seedOf();
/** The server's own listener is looked at in `slow-readers`. */
const HOSTS = ['node:http', 'fetch', 'Express 5', 'Express 4', 'Hono', 'Fastify', 'Koa'];
const KINDS = ['stalls', 'trickles'] as const;
/** For both together, of whom each has 40 MB before it. */
const MOST_WHILE_THERE = 4 * MEGABYTE;

describe(`readers of large streams that do not read, seed ${seed}`, () => {
  it.each(HOSTS)('cost little on %s', async (host) => {
    const server = await MeasuredServer.start('sqlite', undefined, host);
    // What is needed only once is there after the first time.
    await flood(server, [], new Random(seed, 1));
    const before = await whenAlone(server);
    const { bad } = await flood(server, KINDS, new Random(seed, 2));
    // The last task is still on its way out of memory when its end has been read.
    await eventually(async () => (await server.collected()).held - before.held).toBeLessThan(MOST_WHILE_THERE);
    expect((await server.report()).load.subscriptions).toBe(KINDS.length);
    for (const one of bad) one.cut();
    await eventually(async () => handlesOf(await server.report())).toEqual(handlesOf(before));
  });
});
