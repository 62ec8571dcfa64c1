import { type Store, withStore } from 'parley-a2a/ports';
import { type StorePlace, storeContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { failuresOf } from './by-hand.ts';
import { MUTANTS, make } from './store-mutants.ts';

const failuresWith = (openStore: (now: () => number) => Store | StorePlace) =>
  failuresOf((runner) => storeContract(runner, openStore, { patience: PATIENCE_MS }));

it.for(Object.entries(MUTANTS))('the store contract finds %s', async ([, [mutant, title]]) => {
  const titles = (await failuresWith((now) => mutant(make(now)))).map((failure) => failure.title);
  expect(titles.filter((failed) => failed.startsWith(title)).length).toBeGreaterThan(0);
});

it('the store contract finds nothing in a store that keeps its promises, at once and with its place', async () => {
  expect(await failuresWith(make)).toEqual([]);
  expect(
    await failuresWith((now) => {
      const store = make(now);
      return { store, reopen: () => store };
    }),
  ).toEqual([]);
});

it('the store contract finds a store that loses everything when it is closed, by each thing that is lost', async () => {
  const lost = await failuresWith((now) => ({ store: make(now), reopen: () => make(now) }));
  expect(lost.map((failure) => failure.title)).toEqual([
    'has every part of its tasks',
    'goes on where it was: what was refused still is, and the next commit fits',
    'has the cursors of followers, with their leases',
    'has what the server keeps once, and the API keys',
    'has the turns that wait, where the store has a queue',
    'knows the tasks that were abandoned',
    'does not bring back what was removed',
    'has what was written after it was opened again, once it is opened a third time',
  ]);
});

it('the store contract closes each store before its place is opened again or removed, and removes each place once', async () => {
  const open = new Set<Store>();
  let opened = 0;
  let removed = 0;
  const failures = await failuresWith((now) => {
    opened += 1;
    const place = make(now);
    const store: Store = withStore(place, {
      open: () => void open.add(store),
      close: () => void open.delete(store),
    });
    return {
      store,
      reopen: () => {
        if (open.has(store)) throw new Error('It is still open');
        return store;
      },
      close: () => {
        if (open.has(store)) throw new Error('It is still open');
        removed += 1;
      },
    };
  });
  expect(failures).toEqual([]);
  expect([removed, open.size]).toEqual([opened, 0]);
});
