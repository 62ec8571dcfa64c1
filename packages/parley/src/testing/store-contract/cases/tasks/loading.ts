import { ALL, accept, append, body, chunkEvent, creation, messageEvent, statusEvent } from '../../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

export function describeLoading({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('load', () => {
    it('gives the tasks in the order of the ids and leaves unknown ones out', async () => {
      await bed.store.commit([creation('a'), creation('b'), creation('c')]);
      const loaded = await bed.store.load(['c', 'unknown', 'a'], ALL);
      expect(loaded.map(({ head }) => head.id)).toEqual(['c', 'a']);
    });

    it('gives the head alone, the history or the artifacts, as asked', async () => {
      const created = await accept(bed.store, creation('task'));
      const events = [statusEvent(3, 'working'), chunkEvent(4, 'done'), chunkEvent(5, 'open'), messageEvent(6)];
      const bodies = [body('done', 0, 4)];
      const head = await accept(bed.store, append(created, events, { bodies, head: { openFrom: 5 } }));
      const load = async (history: boolean, artifacts: boolean) =>
        (await bed.store.load(['task'], { history, artifacts }))[0];
      const talk = [messageEvent(2), events[0], events[3]];
      expect(await load(false, false)).toEqual({ head, bodies: [], events: [] });
      expect(await load(true, false)).toEqual({ head, bodies: [], events: talk });
      expect(await load(false, true)).toEqual({ head, bodies, events: [events[2]] });
      expect(await load(true, true)).toEqual({ head, bodies, events: [talk[0], events[0], events[2], events[3]] });
    });

    it('gives chunks from the oldest open artifact on, and none when all have ended', async () => {
      let head = await accept(bed.store, creation('task'));
      head = await accept(bed.store, append(head, [chunkEvent(3, 'a'), chunkEvent(4, 'b')], { head: { openFrom: 3 } }));
      head = await accept(
        bed.store,
        append(head, [chunkEvent(5, 'a')], { bodies: [body('a', 0, 5)], head: { openFrom: 4 } }),
      );
      const open = (await bed.store.load(['task'], { history: false, artifacts: true }))[0];
      expect(open?.events).toEqual([chunkEvent(4, 'b'), chunkEvent(5, 'a')]);
      await accept(bed.store, append(head, [chunkEvent(6, 'b')], { bodies: [body('b', 1, 6)], head: { openFrom: 0 } }));
      const ended = (await bed.store.load(['task'], { history: false, artifacts: true }))[0];
      expect(ended?.events).toEqual([]);
      expect(ended?.bodies).toEqual([body('a', 0, 5), body('b', 1, 6)]);
    });

    it('gives bodies by their position, each as it was written last', async () => {
      let head = await accept(bed.store, creation('task'));
      const written = [body('late', 2, 3), body('early', 0, 3), body('middle', 1, 3, 'old')];
      head = await accept(bed.store, append(head, [chunkEvent(3)], { bodies: written }));
      const replaced = body('middle', 1, 4, 'new');
      await accept(bed.store, append(head, [chunkEvent(4)], { bodies: [body('middle', 1, 4), replaced] }));
      const bodies = (await bed.store.load(['task'], ALL))[0]?.bodies;
      expect(bodies).toEqual([body('early', 0, 3), replaced, body('late', 2, 3)]);
    });

    it('gives a whole history across many commits that hold only chunks', async () => {
      let head = await accept(bed.store, creation('task'));
      const talk = [messageEvent(2)];
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 20; count += 1) {
          head = await accept(bed.store, append(head, [chunkEvent(head.seq + 1), chunkEvent(head.seq + 2)]));
        }
        const said = messageEvent(head.seq + 1);
        head = await accept(bed.store, append(head, [said, chunkEvent(head.seq + 2)]));
        talk.push(said);
      }
      expect((await bed.store.load(['task'], ALL))[0]).toEqual({ head, bodies: [], events: talk });
    });
  });
}
