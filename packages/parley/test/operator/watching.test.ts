import { A2AClient, A2AServer, bytes, defineAgent, inputRequired, json, memory, type Part, text } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogPage, MetricsSnapshot, TaskPage, TaskTree } from '../../src/server/operator/console-api.ts';
import { eventually } from '../support/eventually.ts';
import { agentOf, gate } from '../support/script.ts';

const quiet = { error: () => {}, warn: () => {} };

describe.each([
  ['memory', () => memory()],
  ['sqlite', () => sqlite(':memory:')],
] as const)('operators on %s', (_, makeStore) => {
  it('see where the time of a task and its sub-agents went: waiting for a slot, at work, waiting for the caller', async () => {
    const busy = gate();
    const child = agentOf((task) => `child of ${task.text}`, { name: 'child' });
    const parent = defineAgent({
      name: 'parent',
      description: 'Calls another agent',
      version: '1.0.0',
      resumable: true,
      async run(task) {
        if (task.text === 'hold') {
          await busy.promise;
          return 'held';
        }
        await task.step('prepare', () => 1);
        await task.call(child, 'part');
        return task.ask('Go on?');
      },
    });
    const server = new A2AServer({
      agents: [parent, child],
      store: makeStore(),
      limits: { runs: 1 },
      log: quiet,
      drainTimeout: 0,
    });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const client = new A2AClient(`${server.url}/a2a`);
    const read = async <T>(path: string) => (await (await fetch(`${server.url}/a2a/operator/${path}`)).json()) as T;
    const begin = async (text: string) => {
      const task = await client.sendMessage(text, { returnImmediately: true });
      if (!('status' in task)) throw new Error('no task');
      return task.id;
    };
    const activity = async (id: string) =>
      (await read<TaskPage>('all-tasks')).tasks.find((task) => task.id === id)?.activity;
    await begin('hold');
    const id = await begin('go');
    await eventually(() => activity(id)).toBe('queued');
    const { root: queued } = await read<TaskTree>(`tasks/${id}/tree`);
    expect(queued.found?.spans).toEqual([{ kind: 'queued', from: queued.found?.createdAt }]);
    // The clock shows milliseconds: a wait of less would not be seen.
    const shown = Date.now();
    await eventually(() => Date.now()).toBeGreaterThan(shown + 1);
    busy.resolve();
    await eventually(() => activity(id)).toBe('waiting');
    await client.sendMessage('yes', { taskId: id });
    await eventually(() => activity(id)).toBe('ended');
    const { root, isCut } = await read<TaskTree>(`tasks/${id}/tree`);
    expect(isCut).toBe(false);
    expect(root.found).toMatchObject({ state: 'TASK_STATE_COMPLETED', endedAt: expect.any(String) });
    expect(root.found?.spans[0]?.kind).toBe('queued');
    expect(root.found?.spans.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['queued', 'running']));
    expect(root.found?.spans.every(({ to }) => to !== undefined)).toBe(true);
    expect(root.found?.steps.map(({ name }) => name)).toContain('prepare 1');
    for (const { from = '', to, isKept } of root.found?.steps ?? []) {
      expect([root.found?.createdAt ?? '', from, to]).toEqual([root.found?.createdAt ?? '', from, to].toSorted());
      expect([from === '', isKept]).toEqual([false, undefined]);
    }
    expect(root.children).toMatchObject([{ agent: 'child', found: { state: 'TASK_STATE_COMPLETED' }, children: [] }]);
    expect((await fetch(`${server.url}/a2a/operator/tasks/nobody/tree`)).status).toBe(404);
  });

  it('see that a later turn waits for a slot while its task says that it works', async () => {
    const busy = gate();
    const agent = agentOf(
      async (task) => {
        if (task.text === 'hold') await busy.promise;
        return task.history.length === 0 && task.text !== 'hold' ? inputRequired('And?') : 'done';
      },
      { name: 'asking' },
    );
    const server = new A2AServer({
      agents: [agent],
      store: makeStore(),
      limits: { runs: 1 },
      log: quiet,
      drainTimeout: 0,
    });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const client = new A2AClient(`${server.url}/a2a`);
    const asked = await client.sendMessage('go');
    if (!('status' in asked)) throw new Error('no task');
    await client.sendMessage('hold', { returnImmediately: true });
    const told = await client.sendMessage('more', { taskId: asked.id, returnImmediately: true });
    expect(told).toMatchObject({ status: { state: 'working' } });
    const spans = async () => {
      const response = await fetch(`${server.url}/a2a/operator/tasks/${asked.id}/tree`);
      return ((await response.json()) as TaskTree).root.found?.spans ?? [];
    };
    const waiting = (await spans()).at(-1);
    expect(waiting).toEqual({ kind: 'queued', from: expect.any(String) });
    const shown = Date.now();
    await eventually(() => Date.now()).toBeGreaterThan(shown + 1);
    busy.resolve();
    await eventually(async () => (await client.getTask(asked.id)).status.state).toBe('completed');
    const ended = (await spans()).find(({ from, kind }) => kind === 'queued' && from === waiting?.from);
    expect(Date.parse(ended?.to ?? '')).toBeGreaterThan(shown);
  });

  it('read what tasks were asked, where their agents say nothing of them', async () => {
    const plain = agentOf((task) => task.text, { name: 'plain' });
    const hidden = agentOf((task) => task.text, { name: 'hidden' });
    const said = agentOf(
      (task) => {
        task.summary('In words');
        return task.text;
      },
      { name: 'said' },
    );
    const server = new A2AServer({ agents: [plain, hidden, said], store: makeStore(), log: quiet });
    server.use({
      transform: (event, { agent }) =>
        agent === 'hidden' && event.kind === 'message'
          ? { ...event, message: { ...event.message, parts: [{ kind: 'text', text: '***' }] } }
          : event,
    });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const send = async (agent: string, parts: readonly Part[]) => {
      const task = await new A2AClient(`${server.url}/a2a/agents/${agent}`).sendMessage(parts);
      return 'status' in task ? task.id : '';
    };
    const expected = {
      [await send('plain', [text(`one\n\u202etwo ${'x'.repeat(500)}`)])]: expect.stringMatching(/^one two x{191}…$/),
      [await send('plain', [bytes('a', { filename: 'figures.csv' }), json({ a: 1 })])]: '[figures.csv] [data]',
      [await send('hidden', [text('a name')])]: '***',
      [await send('said', [text('whatever')])]: 'In words',
    };
    const rows = async () => {
      const response = await fetch(`${server.url}/a2a/operator/all-tasks`);
      const { tasks } = (await response.json()) as TaskPage;
      return Object.fromEntries(tasks.map(({ id, summary, firstWords }) => [id, summary ?? firstWords]));
    };
    const first = await rows();
    expect(first).toEqual(expected);
    expect(await rows()).toEqual(first);
  });

  it('page through tasks and logs, and are told what is wrong with a question', async () => {
    const echo = agentOf((task) => task.text, { name: 'echo' });
    const other = agentOf((task) => task.text, { name: 'other' });
    const server = new A2AServer({ agents: [echo, other], store: makeStore(), log: quiet });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    for (let index = 0; index < 7; index += 1) {
      await new A2AClient(`${server.url}/a2a/agents/${index % 2 ? 'other' : 'echo'}`).sendMessage(`m${index}`);
    }
    const ask = async <T>(path: string) => {
      const response = await fetch(`${server.url}/a2a/operator/${path}`);
      return { status: response.status, body: (await response.json()) as T };
    };
    const all = (await ask<TaskPage>('all-tasks')).body;
    expect([all.tasks.length, all.total, all.next]).toEqual([7, 7, undefined]);
    const paged: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await ask<TaskPage>(`all-tasks?limit=3&after=${after}`);
      paged.push(...body.tasks.map(({ id }) => id));
      if (body.next === undefined) break;
      after = body.next;
    }
    expect(paged).toEqual(all.tasks.map(({ id }) => id));
    expect((await ask<TaskPage>('all-tasks?agent=other&state=TASK_STATE_COMPLETED')).body.tasks).toHaveLength(3);
    expect((await ask<TaskPage>('all-tasks?state=failed')).body.tasks).toHaveLength(0);
    expect((await ask<TaskPage>(`all-tasks?context=${all.tasks[0]?.contextId}`)).body.tasks).toHaveLength(1);
    const last = all.tasks.at(-1);
    const upTo = (await ask<TaskPage>(`all-tasks?to=${last?.statusAt}`)).body.tasks;
    expect(upTo.map(({ id }) => id)).toContain(last?.id);
    expect(upTo.every(({ statusAt }) => statusAt <= (last?.statusAt ?? ''))).toBe(true);
    const from = encodeURIComponent(all.tasks[0]?.statusAt ?? '');
    expect((await ask<TaskPage>(`all-tasks?from=${from}`)).body.tasks.map(({ id }) => id)).toContain(all.tasks[0]?.id);
    const seqs: number[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { body }: { body: LogPage } = await ask<LogPage>(`tasks/${last?.id}/events?limit=2&after=${after}`);
      seqs.push(...body.events.map(({ seq }) => seq));
      after = body.next;
    }
    expect(seqs).toEqual(Array.from({ length: last?.seq ?? 0 }, (_value, index) => index + 1));
    for (const wrong of ['agent=nobody', 'state=lost', 'from=soon', 'limit=0', 'limit=9999', 'after=x', 'after=W10']) {
      expect([wrong, (await ask(`all-tasks?${wrong}`)).status]).toEqual([wrong, 400]);
    }
    expect((await ask(`tasks/${last?.id}/events?after=-1`)).status).toBe(400);
    expect((await ask('tasks/nobody/events')).status).toBe(404);
  });
});

describe('metrics for the console', () => {
  it('count operations, events and ends, and are there only with the console', async () => {
    const echo = agentOf((task) => task.text, { name: 'echo' });
    const server = new A2AServer({ agents: [echo], console: true, log: quiet });
    const plain = new A2AServer({ agents: [echo], log: quiet });
    await Promise.all([server.listen({ port: 0 }), plain.listen({ port: 0 })]);
    onTestFinished(() => Promise.all([server.close(), plain.close()]).then(() => undefined));
    await new A2AClient(`${server.url}/a2a`).sendMessage('hello');
    const snapshot = (await (await fetch(`${server.url}/a2a/operator/metrics`)).json()) as MetricsSnapshot;
    expect(snapshot.totals).toMatchObject({ operations: 1, failures: 0, tasksEnded: { completed: 1 } });
    expect(snapshot.totals.events).toBeGreaterThan(2);
    expect(snapshot.now.heapBytes).toBeGreaterThan(0);
    expect((await fetch(`${plain.url}/a2a/operator/metrics`)).status).toBe(404);
  });
});
