import type { Store } from 'parley-a2a/ports';
import { storeContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { failuresOf } from './by-hand.ts';
import { MUTANTS, make } from './store-mutants.ts';

const failuresWith = (openStore: (now: () => number) => Store) =>
  failuresOf((runner) => storeContract(runner, openStore, { patience: PATIENCE_MS }));

it.for(Object.entries(MUTANTS))('the store contract finds %s', async ([, [mutant, title]]) => {
  const titles = (await failuresWith((now) => mutant(make(now)))).map((failure) => failure.title);
  expect(titles.filter((failed) => failed.startsWith(title)).length).toBeGreaterThan(0);
});

it('the store contract finds nothing in a store that keeps its promises', async () => {
  expect(await failuresWith(make)).toEqual([]);
});
