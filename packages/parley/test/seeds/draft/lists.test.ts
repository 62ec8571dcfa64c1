import fc from 'fast-check';
import { inputRequired, memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const agent = agentOf((task) => {
  if (task.text === 'ask') return inputRequired('What?');
  if (task.text === 'fail') throw new Error('no');
  return `Done: ${task.text}`;
});

const message = (text: string, more: object = {}) => ({
  message: { messageId: crypto.randomUUID(), role: 'user', parts: [{ text }], ...more },
});

function peerOf(store?: Store): RpcPeer {
  const { peer } = startServer(agent, { mounts: [{ path: '/a2a', dialect: 'v1_draft' }], ...(store && { store }) });
  return peer;
}

async function pagesOf(peer: RpcPeer, params: object, between: () => Promise<unknown> = async () => {}) {
  const pages: Wire[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await peer.call('ListTasks', { ...params, cursor });
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
    await between();
  }
}

const idsOf = (pages: readonly Wire[]): string[] => pages.flatMap((page) => page.tasks.map((task: Wire) => task.id));

describe('ListTasks of the draft (S2.9)', () => {
  it('gives 20 whole tasks, and a cursor only where there are more', async () => {
    const peer = peerOf();
    for (let index = 0; index < 21; index += 1) await peer.call('SendMessage', message(`${index}`));
    const first = await peer.call('ListTasks', {});
    expect(Object.keys(first)).toEqual(['tasks', 'nextCursor']);
    expect(first.tasks).toHaveLength(20);
    expect(first.tasks[0]).toEqual(await peer.call('GetTask', { id: first.tasks[0].id }));
    const second = await peer.call('ListTasks', { cursor: first.nextCursor });
    expect(Object.keys(second)).toEqual(['tasks']);
    expect(second.tasks).toHaveLength(1);
    expect(Object.keys(await peer.call('ListTasks', { limit: 21 }))).toEqual(['tasks']);
    expect(await peer.call('ListTasks', { contextId: 'none' })).toEqual({ tasks: [] });
  });

  it('has cursors in the document’s form, and takes one that was made from it', async () => {
    const peer = peerOf();
    for (let index = 0; index < 4; index += 1) await peer.call('SendMessage', message(`${index}`));
    const { tasks, nextCursor } = await peer.call('ListTasks', { limit: 2 });
    // As the document parses and makes them.
    const [timestamp, taskId] = Buffer.from(nextCursor, 'base64').toString().split(':');
    expect(taskId).toBe(tasks[1].id);
    expect(new Date(Number(timestamp)).toISOString()).toBe(tasks[1].status.timestamp);
    const all = idsOf([await peer.call('ListTasks', {})]);
    const made = Buffer.from(`${Date.parse(tasks[0].status.timestamp)}:${tasks[0].id}`).toString('base64');
    expect(idsOf([await peer.call('ListTasks', { cursor: made })])).toEqual(all.slice(1));
  });

  it('filters by context and by any of several states', async () => {
    const peer = peerOf();
    for (const contextId of ['a', 'b']) {
      for (const text of ['one', 'ask', 'fail', 'two']) await peer.call('SendMessage', message(text, { contextId }));
    }
    const listed = async (params: object) =>
      (await pagesOf(peer, { limit: 1, ...params })).flatMap((page) => page.tasks);
    expect(await listed({ contextId: 'a' })).toHaveLength(4);
    const open = await listed({ contextId: 'b', state: ['input-required', 'failed'] });
    expect(open.map((task: Wire) => [task.contextId, task.status.state])).toEqual([
      ['b', 'failed'],
      ['b', 'input-required'],
    ]);
    expect(await listed({ state: ['completed'] })).toHaveLength(4);
    expect(await listed({ state: [] })).toHaveLength(8);
    expect(await listed({ state: ['cancelled'] })).toHaveLength(0);
  });

  it('refuses sizes out of 1 to 100, and what is no cursor', async () => {
    const peer = peerOf();
    for (const limit of [0, 101, -1, 1.5, '10', 'many', true, [5]]) {
      expect(await peer.error('ListTasks', { limit })).toMatchObject({
        code: -32602,
        message: expect.stringContaining('limit'),
      });
    }
    for (const limit of [1, 100, null]) expect(await peer.call('ListTasks', { limit })).toEqual({ tasks: [] });
    for (const cursor of ['nonsense', 'bm9uc2Vuc2U=', 5]) {
      expect(await peer.error('ListTasks', { cursor })).toMatchObject({
        code: -32602,
        message: expect.stringContaining('cursor'),
      });
    }
  });

  it.each([
    { name: 'memory', store: () => memory() },
    { name: 'sqlite', store: () => sqlite(':memory:') },
  ])('shows what does not change exactly once, whatever is written meanwhile ($name)', async ({ store }) => {
    const write = fc.constantFrom('new', 'answer', 'elsewhere');
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (writes, limit) => {
        const { server, peer } = startServer(agent, {
          mounts: [{ path: '/a2a', dialect: 'v1_draft' }],
          store: store(),
        });
        const still: string[] = [];
        const waiting: string[] = [];
        for (let index = 0; index < 9; index += 1) {
          const { id } = await peer.call(
            'SendMessage',
            message(index % 3 === 0 ? 'ask' : 'done', { contextId: 'ctx' }),
          );
          (index % 3 === 0 ? waiting : still).push(id);
        }
        const moved = new Set<string>();
        const todo = [...writes];
        const between = async () => {
          const next = todo.splice(0, 2).map(async (kind) => {
            const taskId = kind === 'answer' ? waiting.shift() : undefined;
            if (kind === 'answer' && !taskId) return;
            if (taskId) moved.add(taskId);
            const contextId = kind === 'elsewhere' ? 'other' : 'ctx';
            await peer.call('SendMessage', message('more', taskId ? { taskId } : { contextId }));
          });
          await Promise.all(next);
        };
        const ids = idsOf(await pagesOf(peer, { contextId: 'ctx', limit }, between));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of [...still, ...waiting]) expect(ids).toContain(id);
        await server.close();
      }),
      { numRuns: 15 },
    );
  });
});
