import { type A2AServerOptions, memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { settableClock } from '../../support/settable-clock.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { lines, looking, seenBy, talk } from './looking.ts';

const HOUR = 3_600_000;

const STORES: readonly [string, () => A2AServerOptions['store']][] = [
  ['memory', () => memory()],
  ['SQLite', () => sqlite(tempFile())],
];

describe.each(STORES)('task.context.get and set (%s)', (name, makeStore) => {
  const counter = looking(async ({ context }) => {
    const count = ((await context.get<number>('count')) ?? 0) + 1;
    await context.set('count', count);
    return count;
  });

  it('keep something from one task to the next, for each context alone', async () => {
    const { peer } = startServer(counter, { store: makeStore() });
    expect(await seenBy(peer, 'one')).toBe(1);
    expect(await seenBy(peer, 'two')).toBe(2);
    expect(await seenBy(peer, 'one', { contextId: 'another' })).toBe(1);
    expect(await seenBy(peer, 'one', {})).toBe(1);
  });

  it('keep it over a restart', async () => {
    const path = tempFile();
    const kept = memory();
    const store = () => (name === 'SQLite' ? sqlite(path) : kept);
    const first = startServer(counter, { store: store() });
    expect(await seenBy(first.peer, 'one')).toBe(1);
    await first.server.close();
    expect(await seenBy(startServer(counter, { store: store() }).peer, 'two')).toBe(2);
  });

  it('forget when nothing has happened for a day', async () => {
    const clock = settableClock();
    const { peer } = startServer(counter, { store: makeStore(), clock });
    expect(await seenBy(peer, 'one')).toBe(1);
    clock.time += 23 * HOUR;
    expect(await seenBy(peer, 'two')).toBe(2);
    clock.time += 23 * HOUR;
    expect(await seenBy(peer, 'three')).toBe(3);
    clock.time += 24 * HOUR;
    expect(await seenBy(peer, 'four')).toBe(1);
  });

  it('forget what was said as well, and do not remember it later', async () => {
    const clock = settableClock();
    const agent = looking(async (task) => lines(await task.context.messages({ includeArtifacts: false })));
    const { peer } = startServer(agent, { store: makeStore(), clock, retention: { contexts: HOUR } });
    await seenBy(peer, 'old');
    clock.time += HOUR / 2;
    expect(await seenBy(peer, 'less old')).toEqual(['user: old']);
    clock.time += HOUR;
    expect(await seenBy(peer, 'new')).toEqual([]);
    clock.time += HOUR / 2;
    expect(await seenBy(peer, 'newer')).toEqual(['user: new']);
  });

  it('never forget where that is wanted', async () => {
    const clock = settableClock();
    const { peer } = startServer(counter, { store: makeStore(), clock, retention: { contexts: 0 } });
    expect(await seenBy(peer, 'one')).toBe(1);
    clock.time += 10_000 * HOUR;
    expect(await seenBy(peer, 'two')).toBe(2);
  });

  it('remove, replace and hand over copies', async () => {
    const agent = looking(async ({ context }) => {
      const value = { list: [1] };
      await context.set('a', value);
      await context.set('b', 1);
      value.list.push(2);
      await context.delete('b');
      const seen = await context.get<{ list: number[] }>('a');
      seen?.list.push(3);
      return [seen ?? null, (await context.get('a')) ?? null, (await context.get('b')) ?? null];
    });
    const { peer } = startServer(agent, { store: makeStore() });
    expect(await seenBy(peer, 'go')).toEqual([{ list: [1, 3] }, { list: [1] }, null]);
  });

  it('keep no more than they may', async () => {
    const agent = looking(async ({ context }) => {
      const big = 'x'.repeat(600);
      const results = await Promise.allSettled([
        context.set('a', big),
        context.set('b', big),
        context.set('a', 'small'),
      ]);
      await context.set('b', big);
      return results.map((result) => (result.status === 'rejected' ? result.reason.code : 'kept'));
    });
    const { peer } = startServer(agent, { store: makeStore(), limits: { contextBytes: 1000 } });
    expect(await seenBy(peer, 'go')).toEqual(['kept', 'PAYLOAD_TOO_LARGE', 'kept']);
  });

  it('refuse what is not JSON, and no name', async () => {
    const agent = looking(async ({ context }) => {
      const results = await Promise.allSettled([
        context.set('a', 1n as never),
        context.set('a', undefined as never),
        context.set('', 1),
        context.get(''),
      ]);
      return results.map(({ status }) => status);
    });
    expect(await seenBy(startServer(agent, { store: makeStore() }).peer, 'go')).toEqual(Array(4).fill('rejected'));
  });

  it('lose nothing where tasks run at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const agent = looking(async ({ context, text }) => {
      if (text !== 'look') await context.set(text, 1);
      return Promise.all(names.map(async (key) => (await context.get<number>(key)) ?? 0));
    });
    const { peer } = startServer(agent, { store: makeStore() });
    await Promise.all(names.map((key) => peer.send(key, talk)));
    expect(await seenBy(peer, 'look')).toEqual(names.map(() => 1));
  });
});
