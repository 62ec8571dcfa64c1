import { expect, it, vi } from 'vitest';
import type { Store, TaskCommit, TaskHead } from '../../src/engine/ports.ts';
import type { RunHandle, Runner } from '../../src/engine/turn/runner.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { SCOPE, sendCall, userMessage } from '../engine/support/puppet.ts';
import { ALL, chunk, Nodes, start } from './support/nodes.ts';
import { settle } from './support/world.ts';

const KEY_SCOPE = { tenant: '', subject: 'alice', agent: 'puppet' };
const OWNER = { tenant: '', subject: 'alice' };

/** Runs of a resumable agent, in the order in which they began. */
function runs() {
  const handles: RunHandle[] = [];
  const runner: Runner = {
    name: 'puppet',
    resumable: true,
    run: (handle) => {
      handles.push(handle);
      return new Promise(() => {});
    },
  };
  return { handles, runner };
}

/** Everything that a store keeps of a task. */
async function allOf(store: Store, { id, contextId }: TaskHead, now: number) {
  return {
    head: await store.head(id),
    log: await store.read(id, 0, ALL),
    journal: await store.journal(id),
    key: await store.key(KEY_SCOPE, 'key-1', now),
    webhooks: await store.listPushConfigs({ taskId: id, limit: 10 }),
    context: [...(await store.contextState(KEY_SCOPE, contextId, now))],
  };
}

it('nothing of a commit is written whose node was taken for dead: events, journal, keys, context and webhooks', async () => {
  const { handles, runner } = runs();
  const refused: TaskCommit[] = [];
  const store = (world: { time: number }) => {
    const inner = memory({ shared: true, now: () => world.time });
    return withStore(inner, {
      commit: async (entries) => {
        const [entry] = entries;
        if (entries.length !== 1 || entry?.kind !== 'task') return inner.commit(entries);
        const before = await allOf(inner, entry.head, world.time);
        const results = await inner.commit(entries);
        if (results[0] !== 'conflict') return results;
        refused.push(entry);
        expect(await allOf(inner, entry.head, world.time)).toEqual(before);
        return results;
      },
    });
  };
  const nodes = new Nodes({ runner, store });
  const [one, other] = [await nodes.open(), await nodes.open()];
  const task = await start(one.engine);
  await settle();
  const [handle] = handles;
  if (!handle) throw new Error('A run was expected');
  // All of it is appended while the process cannot commit.
  one.clock.stop();
  void handle.steps.perform('charge', () => Promise.resolve('charged')).catch(() => {});
  void handle.output.chunk(chunk('lost'))?.catch(() => {});
  void handle.conversation.change('colour', 'red').catch(() => {});
  const push = { id: 'hook', owner: OWNER, createdAt: 1, dialect: '1.0', body: {} };
  const follow = { ...sendCall(userMessage('more', { taskId: task.id })), push, idempotencyKey: 'key-1' };
  const digest = vi.spyOn(crypto.subtle, 'digest');
  const sending = one.engine.send(follow);
  sending.catch(() => {});
  // The digest of a keyed request is made on another thread.
  await digest.mock.results[0]?.value;
  digest.mockRestore();
  await settle();
  await nodes.world.pass(15_000);
  // Another node has taken the task over and goes on.
  expect(handles).toHaveLength(2);
  expect((await nodes.store.head(task.id))?.lease.node).toBe(other.engine.node);
  one.clock.goOn();
  await nodes.world.pass(3_000);
  const [written] = refused;
  expect(written?.head.lease.node).toBe(one.engine.node);
  const { events = [], journal, context, keys, pushConfigs } = written ?? {};
  expect([events.length > 0, journal, context, keys, pushConfigs].every(Boolean)).toBe(true);
  expect(handle.signal.aborted).toBe(true);
  // The message goes to the node that has the task, once; nothing else of what the lost run did is there.
  await sending.catch(() => {});
  const log = await nodes.store.read(task.id, 0, ALL);
  expect(log.filter(({ kind }) => kind === 'artifact')).toEqual([]);
  expect(log.filter(({ kind }) => kind === 'message').length).toBeLessThanOrEqual(2);
});

it('a follower whose node was taken for dead moves no cursor', async () => {
  const { runner } = runs();
  const nodes = new Nodes({ runner });
  const [one, other] = [await nodes.open(), await nodes.open()];
  const task = await start(other.engine);
  await settle();
  const gate = Promise.withResolvers<void>();
  const dealt: string[] = [];
  const following = (name: string, wait?: Promise<void>) => ({
    taskId: task.id,
    after: 0,
    name: 'hook',
    deal: async () => {
      await wait;
      dealt.push(name);
      return undefined;
    },
  });
  await one.engine.follow(following('one', gate.promise));
  await settle();
  one.clock.stop();
  await other.engine.follow(following('other'));
  await nodes.world.pass(25_000);
  expect(dealt).toEqual(['other']);
  const moved = await nodes.store.cursor(task.id, 'hook');
  expect(moved).toMatchObject({ lease: { node: other.engine.node } });
  // What was begun comes to its end after all, and its position is refused.
  gate.resolve();
  await settle();
  expect(dealt).toEqual(['other', 'one']);
  expect(await nodes.store.cursor(task.id, 'hook')).toEqual(moved);
  expect((await other.engine.get(SCOPE, { id: task.id })).status.state).toBe('working');
});
