import type { JournalEntry } from '../../../../engine/ports.ts';
import { accept, append, chunkEvent, creation } from '../../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

/** More entries than nine, so that numbers which are ordered as text show. */
const COUNT = 12;

function entry(number: number, seq: number, of = 'task'): JournalEntry {
  const odd = { 'é\u0000\uD800': ['\uDFFF', null, 1.5, { deep: true }] };
  return { number, seq, body: { step: `step ${number} of ${of}`, odd } };
}

/** The journals of resumable runs: what a run after a crash goes by, in the order in which it happened. */
export function describeJournal({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('journal', () => {
    it('gives every entry in order, as it was written, across commits', async () => {
      let head = await accept(bed.store, creation('task'));
      expect(await bed.store.journal('task')).toEqual([]);
      const written: JournalEntry[] = [];
      while (written.length < COUNT) {
        const journal = [1, 2, 3].map((more) => entry(written.length + more, head.seq));
        head = await accept(bed.store, { ...append(head, [chunkEvent(head.seq + 1)]), journal });
        written.push(...journal);
        expect(await bed.store.journal('task')).toEqual(written);
      }
    });

    it('gives the entries of its task alone', async () => {
      for (const id of ['one', 'two']) {
        await accept(bed.store, { ...creation(id), journal: [entry(1, 2, id), entry(2, 2, id)] });
      }
      for (const id of ['one', 'two']) expect(await bed.store.journal(id)).toEqual([entry(1, 2, id), entry(2, 2, id)]);
      expect(await bed.store.journal('unknown')).toEqual([]);
    });

    it('takes entries without events', async () => {
      const head = await accept(bed.store, creation('task'));
      await accept(bed.store, { ...append(head, []), journal: [entry(1, 2)] });
      expect(await bed.store.journal('task')).toEqual([entry(1, 2)]);
    });
  });
}
