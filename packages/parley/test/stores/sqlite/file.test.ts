import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store, TaskHead } from '../../../src/engine/ports.ts';
import { TASK_STATES } from '../../../src/model/states.ts';
import { openForWriting } from '../../../src/stores/sqlite/file/connections.ts';
import { MIGRATIONS } from '../../../src/stores/sqlite/file/migrations.ts';
import {
  AGENT,
  ALICE,
  ALL,
  accept,
  append,
  body,
  chunkEvent,
  creation,
  keyRecord,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from '../fixtures.ts';
import { ended, inspect, openElsewhere, openStore, temporaryFolder } from './fixtures.ts';

const newFile = () => join(temporaryFolder(), 'tasks.db');

describe.each(['loop', 'worker'] as const)('a file, written on the %s', (writer) => {
  it('S2.12: has everything when it is opened again', async () => {
    const path = newFile();
    const first = await openStore(path, { writer });
    const key = keyRecord('key', { taskId: 'task' });
    const head = await writeTask(first, 'task');
    await first.commit([{ kind: 'reply', key }]);
    await first.shareContext(ALICE, head.contextId, ['bob']);
    const before = await first.load(['task'], ALL);
    await first.close();
    const second = await openStore(path, { writer });
    expect(await second.load(['task'], ALL)).toEqual(before);
    expect(await second.read('task', 0, NO_LIMIT)).toHaveLength(head.seq);
    expect(await second.key(key.scope, 'key', 0)).toEqual(key);
    expect(await second.contextOwner(ALICE, head.contextId)).toEqual(ALICE);
    expect(await second.sharedContexts({ ...ALICE, subject: 'bob' }, 5)).toEqual([
      { owner: ALICE, contextId: head.contextId },
    ]);
    expect(await second.list({ agent: AGENT, owner: ALICE, limit: 5 })).toEqual({ heads: [head], total: 1 });
    expect(await second.abandoned('node-2', 0, 5)).toEqual([head]);
    expect(await second.isAlive('node-1', 0)).toBe(false);
  });

  it('S2.12: has every commit that was answered when its process is killed', async () => {
    const path = newFile();
    const { process: holder, said } = await openElsewhere(path, writer);
    expect(said).toBe('open');
    holder.kill('SIGKILL');
    await ended(holder);
    const store = await openStore(path, { writer });
    const { head, events } = creation('task of another process');
    expect(await store.head(head.id)).toEqual(head);
    expect(await store.read(head.id, 0, NO_LIMIT)).toEqual(events);
  });

  it('is made from an empty file', async () => {
    const path = newFile();
    writeFileSync(path, '');
    await (await openStore(path, { writer })).close();
    expect(inspect(path, (database) => database.pragma('user_version'))).toBe(MIGRATIONS.length);
    expect(inspect(path, (database) => database.pragma('journal_mode'))).toBe('wal');
  });

  it('is migrated when its making was interrupted after the mark', async () => {
    const path = newFile();
    inspect(path, (database) => database.exec(`PRAGMA application_id = ${0x5061726c}`));
    const store = await openStore(path, { writer });
    const head = await accept(store, creation('task'));
    expect(await store.head('task')).toEqual(head);
    await store.close();
    expect(inspect(path, (database) => database.pragma('user_version'))).toBe(MIGRATIONS.length);
    expect(inspect(path, (database) => database.pragma('journal_mode'))).toBe('wal');
  });

  it('leaves nothing beside it when it is closed but the lock file', async () => {
    const path = newFile();
    const store = await openStore(path, { writer });
    await writeTask(store, 'task');
    await store.close();
    expect(readdirSync(join(path, '..'))).toEqual(['tasks.db', 'tasks.db-lock']);
  });

  it('is sound after random work', async () => {
    const path = newFile();
    const store = await openStore(path, { writer, synchronous: 'off' });
    const step = fc.record({ task: fc.nat(9), state: fc.constantFrom(...TASK_STATES), chunks: fc.nat(5) });
    const heads = new Map<string, TaskHead>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        for (const { task, state, chunks } of steps) {
          const id = `task ${task}`;
          const head = heads.get(id) ?? (await accept(store, creation(id)));
          const events = Array.from({ length: chunks }, (_, index) => chunkEvent(head.seq + 1 + index));
          const status = statusEvent(head.seq + 1 + chunks, state);
          heads.set(id, await accept(store, append(head, [...events, status], { bodies: [body('result', 0, 9)] })));
        }
      }),
      { numRuns: 20 },
    );
    await store.close();
    expect(inspect(path, (database) => database.pragma('integrity_check'))).toBe('ok');
  });

  it('is unchanged by a commit that fails, and takes the next one', async () => {
    const store = await openStore(newFile(), { writer });
    const head = await accept(store, creation('old'));
    const broken = { ...creation('broken'), head: { ...creation('broken').head, statusTime: 1.5 } };
    const batch = [creation('new'), append(head, [messageEvent(3)]), broken];
    await expect((async () => store.commit(batch))()).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' });
    expect(await store.head('new')).toBeUndefined();
    expect(await store.head('old')).toEqual(head);
    expect(await store.list({ agent: AGENT, owner: ALICE, limit: 5 })).toEqual({ heads: [head], total: 1 });
    expect(await store.commit([append(head, [messageEvent(3)])])).toEqual(['ok']);
  });

  it('is read without the commits that hold only chunks when a history is loaded', async () => {
    const path = newFile();
    const store = await openStore(path, { writer, synchronous: 'off' });
    let head = await accept(store, creation('task'));
    for (let count = 1; count <= 2_000; count += 1) {
      const isMessage = count % 1_000 === 0;
      head = await accept(store, append(head, [isMessage ? messageEvent(head.seq + 1) : chunkEvent(head.seq + 1)]));
    }
    await store.close();
    // A row of chunks that is read now would fail to be parsed.
    inspect(path, (database) => database.exec(`UPDATE log SET body = 'unreadable' WHERE kinds = 2`));
    const reopened = await openStore(path, { writer });
    const events = (await reopened.load(['task'], ALL))[0]?.events;
    expect(events?.map(({ seq }) => seq)).toEqual([2, 1_002, 2_002]);
  });

  it('says so when it is used before it is opened or after it was closed', async () => {
    const store = await openStore(newFile(), { writer });
    await store.close();
    await store.close();
    expect(() => store.head('task')).toThrow(/is not open$/);
    await expect((async () => store.commit([]))()).rejects.toThrow(/is not open$/);
  });
});

describe('the thread that writes', () => {
  it('finishes what was committed before the store is closed', async () => {
    const path = newFile();
    const store = await openStore(path, { writer: 'worker' });
    const pending = store.commit([creation('task')]);
    await store.close();
    expect(await pending).toEqual(['ok']);
    const again = await openStore(path, { writer: 'worker' });
    expect((await again.head('task'))?.id).toBe('task');
  });

  it('rejects pending and later commits when it dies, and lets the file be opened again', async () => {
    const path = newFile();
    let stop: (() => Promise<unknown>) | undefined;
    const watch = (worker: { terminate(): Promise<unknown> }) => {
      stop = () => worker.terminate();
    };
    process.once('worker', watch);
    onTestFinished(() => {
      process.off('worker', watch);
    });
    const store = await openStore(path, { writer: 'worker' });
    const pending = Promise.resolve(store.commit([creation('task')]));
    const outcome = expect(pending).rejects.toThrow('The SQLite writer has stopped');
    await stop?.();
    await outcome;
    await expect(Promise.resolve(store.commit([creation('other')]))).rejects.toThrow('The SQLite writer has stopped');
    await expect(Promise.resolve(store.purge({ endedBefore: 1, limit: 1 }))).rejects.toThrow(
      'The SQLite writer has stopped',
    );
    await expect(Promise.resolve(store.sweep(0))).rejects.toThrow('The SQLite writer has stopped');
    await store.close();
    await openStore(path, { writer: 'worker' });
  });

  it('does not keep the process alive', async () => {
    const path = newFile();
    const { process: other, said } = await openElsewhere(path, 'worker', { leaves: true });
    expect(said).toBe('open');
    await ended(other);
    expect(other.exitCode).toBe(0);
    const store = await openStore(path);
    expect((await store.head('task of another process'))?.id).toBe('task of another process');
  });
});

describe('the writing connection', () => {
  it.each([
    ['full', 2],
    ['normal', 1],
    ['off', 0],
  ] as const)('waits for the disk as it is told: %s', (synchronous, level) => {
    const database = openForWriting(newFile(), { synchronous, busyTimeout: 1_234 });
    onTestFinished(() => database.close());
    expect(database.pragma('synchronous')).toBe(level);
    expect(database.pragma('journal_mode')).toBe('wal');
    expect(database.pragma('busy_timeout')).toBe(1_234);
  });
});

/** A task with a message, a status, an open artifact and one that has ended. */
async function writeTask(store: Store, id: string): Promise<TaskHead> {
  const head = await accept(store, creation(id));
  const events = [statusEvent(3, 'working'), chunkEvent(4, 'done'), chunkEvent(5, 'open')];
  return accept(store, append(head, events, { bodies: [body('done', 0, 4)], head: { openFrom: 5 } }));
}
