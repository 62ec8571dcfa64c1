import { describe, expect, it } from 'vitest';
import type { Store, TaskHead } from '../../src/engine/ports.ts';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { accept, append, body, chunkEvent, creation, NO_LIMIT, statusEvent } from '../stores/fixtures.ts';
import { inspect, openStore } from '../stores/sqlite/fixtures.ts';
import { tempFile } from '../support/temp-folder.ts';

const RELEASED: Partial<TaskHead> = { lease: { number: 1, node: null } };

/** A stream of tokens whose chunks came one by one, or so many at once. */
async function stream(store: Store, id: string, chunks: number, atOnce = 1): Promise<number> {
  let head = await accept(store, creation(id));
  head = await accept(store, append(head, [statusEvent(3, 'working')]));
  for (let count = 0; count < chunks; count += atOnce) {
    const { seq } = head;
    const event = (_: unknown, place: number) => {
      return { ...chunkEvent(seq + 1 + place, 'text', 'token '), continues: count + place > 0 };
    };
    head = await accept(store, append(head, Array.from({ length: atOnce }, event)));
  }
  const end = [statusEvent(head.seq + 1, 'completed', 10)];
  head = await accept(store, append(head, end, { bodies: [body('text', 0, head.seq)], head: RELEASED }));
  return head.seq;
}

function logOf(file: string): { readonly rows: number; readonly bytes: number } {
  return inspect(file, (database) => {
    const row = database
      .prepare<{ rows: number; bytes: number }>('SELECT count(*) AS rows, sum(length(body)) AS bytes FROM log')
      .get();
    return row ?? { rows: 0, bytes: 0 };
  });
}

async function fold(store: Store): Promise<readonly string[]> {
  const folded: string[] = [];
  for (let after: string | undefined; ; ) {
    const result = await store.trim?.({ part: 'rows', endedBefore: 1e15, after, limit: 50 });
    folded.push(...(result?.tasks ?? []));
    if (result?.next === undefined) return folded;
    after = result.next;
  }
}

describe.each(['loop', 'worker'] as const)('folding, written on the %s', (writer) => {
  it('keeps a slow stream in few rows and a fraction of the room, with every position', async () => {
    const file = tempFile();
    const store = await openStore(file, { writer, synchronous: 'off' });
    const seq = await stream(store, 'long', 1_200);
    await stream(store, 'short', 4);
    const before = logOf(file);
    const events = await store.read('long', 0, NO_LIMIT);
    expect(await fold(store)).toEqual(['long']);
    const after = logOf(file);
    expect(after.rows).toBeLessThan(before.rows / 20);
    expect(after.bytes).toBeLessThan(before.bytes / 8);
    expect(await store.read('long', 0, NO_LIMIT)).toEqual(events);
    for (const place of [0, 1, 3, 4, 500, 501, 777, seq - 2, seq - 1]) {
      const found = await store.read('long', place, { events: 600, bytes: 1e9 });
      expect(found).toEqual(events.slice(place, place + 600));
    }
    expect(await fold(store)).toEqual([]);
    expect(faultsOfFile(file)).toEqual([]);
  });

  it('leaves a fast stream as it is, whose rows hold many chunks', async () => {
    const file = tempFile();
    const store = await openStore(file, { writer, synchronous: 'off' });
    await stream(store, 'fast', 12_800, 16);
    const before = logOf(file);
    expect(await fold(store)).toEqual([]);
    expect(logOf(file)).toEqual(before);
    expect(await fold(store)).toEqual([]);
  });

  it('drops the events of a log of many rows bit by bit, and leaves a sound file', async () => {
    const file = tempFile();
    const store = await openStore(file, { writer, synchronous: 'off' });
    const seq = await stream(store, 'long', 2_500);
    const loaded = await store.load(['long'], { history: true, artifacts: true });
    const query = { part: 'events', endedBefore: 1e15, limit: 50 } as const;
    const first = await store.trim?.(query);
    expect(first).toEqual({ tasks: [], next: expect.any(String) });
    expect((await store.read('long', 0, NO_LIMIT))[0]?.seq).toBeGreaterThan(500);
    expect(await store.load(['long'], { history: true, artifacts: true })).toEqual(loaded);
    expect(faultsOfFile(file)).toEqual([]);
    let next = first?.next;
    while (next !== undefined) next = (await store.trim?.({ ...query, after: next }))?.next;
    expect((await store.read('long', 0, NO_LIMIT)).map((event) => event.seq)).toEqual([seq]);
    expect(await store.load(['long'], { history: true, artifacts: true })).toEqual(loaded);
    expect(faultsOfFile(file)).toEqual([]);
  });
});
