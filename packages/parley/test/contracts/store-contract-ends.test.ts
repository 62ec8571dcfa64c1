import { memory } from 'parley-a2a';
import { type Store, withStore } from 'parley-a2a/ports';
import { storeContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { failuresOf } from './by-hand.ts';

it.for<[string, (store: Store) => Store, string, string]>([
  [
    'lists',
    (store) => withStore(store, { list: (query) => store.list({ ...query, after: undefined }) }),
    'visits every task that does not change once, while others move',
    'the cursor of `list` includes its own place',
  ],
  [
    'webhooks',
    (store) =>
      withStore(store, {
        listPushConfigs: (query) => store.listPushConfigs(query.taskId ? query : { ...query, after: undefined }),
      }),
    'are listed page by page, each once, of one task or of all',
    'the cursor of `listPushConfigs` includes its own place',
  ],
  [
    'logs',
    (store) => withStore(store, { read: (id, _, limit) => store.read(id, 0, limit) }),
    'gives everything once when it is read page by page',
    '`read` includes its own place',
  ],
  [
    'purges',
    (store) => withStore(store, { purge: () => ['task'] }),
    'goes on in batches until nothing is left',
    '`purge` returns ids of tasks that it does not remove',
  ],
  [
    'trims',
    (store) => withStore(store, { trim: () => ({ tasks: [], next: 'more' }) }),
    'drops journals',
    '`next` of `trim` does not become undefined',
  ],
])('the contract ends, and names the fault, for a store whose %s never do', async ([, broken, title, fault]) => {
  const failures = await failuresOf((runner) => storeContract(runner, (now) => broken(memory({ now }))));
  expect(failures.find((failure) => failure.title.endsWith(title))?.said).toContain(fault);
});

const never = () => new Promise<never>(() => {});

it.for<[string, (store: Store) => Store, string]>([
  ['journal', (store) => withStore(store, { journal: never }), '`journal` of the store has not settled after 200 ms'],
  [
    'countRate',
    (store) => withStore(store, { rates: { countRate: never } }),
    '`rates.countRate` of the store has not settled after 200 ms',
  ],
  ['close', (store) => withStore(store, { close: never }), '`close` of the store has not settled after 200 ms'],
])('a store whose `%s` never settles fails the tests that ask for it, by name', async ([method, broken, said]) => {
  const openStore = (now: () => number) => broken(memory({ now, shared: true }));
  const failures = await failuresOf((runner) => storeContract(runner, openStore, { patience: 200 }));
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.filter((failure) => !failure.said.includes(said))).toEqual([]);
  if (method !== 'close') expect(failures.length).toBeLessThan(20);
});

it('a store that is never made fails the contract with that reason', async () => {
  const failures = await failuresOf((runner) => storeContract(runner, never, { patience: 5 }));
  const said = '`openStore`, which was handed to the contract, has not settled after 5 ms';
  expect(failures.filter((failure) => !failure.said.includes(said))).toEqual([]);
});

it('a test of the store contract that its runner has given up does not touch the next one', async () => {
  const tests: (() => Promise<void>)[] = [];
  let slow = true;
  const openStore = (now: () => number) => {
    const store = memory({ now });
    const isSlow = slow;
    slow = false;
    return withStore(store, {
      head: async (id) => {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 50));
        return store.head(id);
      },
    });
  };
  storeContract({ describe: (_, body) => body(), it: (_, body) => tests.push(body), expect }, openStore);
  await Promise.all(tests.slice(0, 4).map((test) => test()));
});
