import { describe, expect, it } from 'vitest';
import { Random } from '../crash/load/random.ts';
import { seedOf } from '../crash/load/seed.ts';
import { eventually } from '../support/eventually.ts';
import { BAD_KINDS } from './bad-readers.ts';
import { FAR_BEHIND_BYTES, flood, resume } from './flood.ts';
import { MeasuredServer } from './server.ts';

const seed = seedOf();

for (const store of ['sqlite', 'memory'] as const) {
  describe(`readers that are slow, stall or vanish (${store}), seed ${seed}`, () => {
    it('hold back neither the agent nor who reads beside them [rule:stream.slow-reader]', async () => {
      const server = await MeasuredServer.start(store);
      const { bad } = await flood(server, BAD_KINDS, new Random(seed, 1));
      // All is written and read to its end …
      const { written, load } = await server.report();
      expect(written).toBe(1);
      // … while the server still has something for each of the others, and they have hardly begun.
      expect(load).toEqual({ tasks: 0, feeds: 1, subscriptions: bad.length });
      for (const { kind, reader } of bad) {
        expect(reader.bytes, kind).toBeGreaterThan(0);
        expect(reader.bytes, kind).toBeLessThan(FAR_BEHIND_BYTES);
      }
      // The slow one is slow, not stuck.
      const slow = bad.find(({ kind }) => kind === 'trickles')?.reader;
      const sofar = slow?.bytes ?? 0;
      await eventually(() => slow?.bytes).toBeGreaterThan(sofar + 5);
      slow?.destroy();
    });

    it('have the exact sequence once they resume [rule:resume.last-event-id] [rule:stream.slow-reader]', async () => {
      const server = await MeasuredServer.start(store);
      const { taskId, normal, bad } = await flood(server, BAD_KINDS, new Random(seed, 2));
      // Who stalls hangs up first; the server still believes in the one that vanished.
      for (const one of bad) if (one.kind !== 'vanishes') one.cut();
      const resumed = await Promise.all(bad.map(({ reader }) => resume(server, taskId, reader)));
      for (const [index, { kind, reader }] of bad.entries()) {
        expect(resumed[index]?.frames.length, kind).toBeGreaterThan(0);
        const frames = [...reader.frames, ...(resumed[index]?.frames ?? [])];
        expect(frames, kind).toEqual(normal.frames);
      }
      for (const one of bad) one.cut();
      await eventually(async () => (await server.report()).load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  });
}
