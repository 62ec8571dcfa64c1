import { memory } from 'parley-a2a';
import { type Store, withStore } from 'parley-a2a/ports';
import { storeContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { failuresOf } from './by-hand.ts';

it.for<[string, (store: Store) => Store, string, string]>([
  [
    'lists',
    (store) => withStore(store, { list: (query) => store.list({ ...query, after: undefined }) }),
    '[rule:list.cursor] visits every task that does not change once, while others move',
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
  expect(failures.find((failure) => failure.title === title)?.said).toContain(fault);
});
