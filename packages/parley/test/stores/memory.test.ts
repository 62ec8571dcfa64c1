import { expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { memory } from '../../src/stores/memory.ts';
import { describeStore } from '../contracts/store.ts';
import { creation } from './fixtures.ts';

const dispose = () => {};

/** A store in memory keeps what it has when it is closed. */
const inMemory = (store: Store) => ({ store, reopen: () => store, dispose });

describeStore('memory', (now) => inMemory(memory({ now })));
describeStore('memory, shared by several nodes', (now) => inMemory(memory({ now, shared: true })));

it('answers without promises and keeps what it is given', () => {
  const store = memory();
  const entry = creation('task');
  expect(store.commit([entry])).toEqual(['ok']);
  expect(store.head('task')).toBe(entry.head);
});

it('keeps its tasks when it is closed, so that another engine can take over', async () => {
  const store = memory();
  await store.commit([creation('task')]);
  await store.close();
  await store.open();
  expect(await store.head('task')).toBeDefined();
});
