import { A2AClient, A2AServer, type A2AServerOptions, defineAgent, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';

const SUMMARY = 'urn:parley:ext:summary:v1';
const COPIES = 'urn:parley:ext:copies:v1';

/** The nodes of one test, by what is special about each. */
type Nodes = readonly Pick<A2AServerOptions, 'store' | 'bus' | 'role'>[];

/** Callers talk to the first node, operators to the last one. */
async function serve(nodes: Nodes) {
  const done: string[] = [];
  const worker = defineAgent({
    name: 'worker',
    description: 'Works in three steps',
    version: '1.0.0',
    resumable: true,
    async *run(task) {
      task.summary(`Works on\n${task.text}`);
      for (const name of ['fetch', 'think', 'write'] as const) {
        const result = await task.step(name, () => {
          done.push(`${name} of ${task.text}`);
          return `${name} ${done.length}; `;
        });
        yield result;
      }
    },
  });
  const talker = defineAgent({
    name: 'talker',
    description: 'Counts what was said before',
    version: '1.0.0',
    async run(task) {
      const before = await task.context.tasks();
      const visits = ((await task.context.get<number>('visits')) ?? 0) + 1;
      await task.context.set('visits', visits);
      return `${before.length} before, visit ${visits}`;
    },
  });
  const log = { error: () => {}, warn: () => {} };
  const servers = nodes.map(
    (node) => new A2AServer({ ...node, agents: [worker, talker], anonymous: 'shared', drainTimeout: 0, log }),
  );
  onTestFinished(() => Promise.all(servers.map((one) => one.close())).then(() => undefined));
  for (const one of servers) await one.listen({ port: 0 });
  const [first, server = first] = [servers[0], servers.at(-1)];
  if (!first || !server) throw new Error('no node');
  const clientOf = (name: string) => new A2AClient(`${first.url}/a2a/agents/${name}`);
  const ended = (id: string, name = 'worker') =>
    eventually(async () => (await clientOf(name).getTask(id)).status.state).toBe('completed');
  return { server, done, clientOf, ended };
}

/** What reruns and forks do, whatever keeps the tasks and however many nodes there are. */
export function describeCopies(title: string, makeNodes: () => Nodes): void {
  describe(`copies of tasks on ${title}`, () => {
    it('are run again with the same message, or with another one', async () => {
      const { server, done, clientOf, ended } = await serve(makeNodes());
      const client = clientOf('worker');
      const first = await client.sendMessage('books');
      if (!('status' in first)) throw new Error('no task');
      expect(first.metadata?.[SUMMARY]).toBe('Works on books');
      const again = await server.rerun(first.id);
      await ended(again.id);
      expect([again.id === first.id, again.contextId]).toEqual([false, first.contextId]);
      expect(again.history[0]).toMatchObject({
        referenceTaskIds: [first.id],
        metadata: { [COPIES]: { taskId: first.id } },
      });
      const other = await server.rerun(first.id, { message: 'films' });
      await ended(other.id);
      expect((await client.getTask(other.id)).metadata?.[SUMMARY]).toBe('Works on films');
      expect(done.slice(3)).toEqual(
        ['books', 'films'].flatMap((text) => ['fetch', 'think', 'write'].map((name) => `${name} of ${text}`)),
      );
      await expect(server.rerun('nobody')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    });

    it('go on from a step, with what was recorded before it', async () => {
      const { server, done, clientOf, ended } = await serve(makeNodes());
      const first = await clientOf('worker').sendMessage('books');
      if (!('status' in first)) throw new Error('no task');
      expect(textOf(first)).toBe('fetch 1; think 2; write 3; ');
      const again = await server.rerun(first.id, { fromStep: 'think' });
      await ended(again.id);
      const task = await clientOf('worker').getTask(again.id);
      expect(textOf(task)).toBe('fetch 1; think 4; write 5; ');
      expect(done).toEqual(['fetch', 'think', 'write', 'think', 'write'].map((name) => `${name} of books`));
      expect(task.metadata?.[COPIES]).toEqual({ taskId: first.id, fromStep: 'think' });
      expect(task.history[0]).toMatchObject({ taskId: again.id, referenceTaskIds: [first.id] });
      // The copy of a copy, and from the very first step.
      const third = await server.rerun(again.id, { fromStep: 'fetch 1' });
      await ended(third.id);
      expect(textOf(await clientOf('worker').getTask(third.id))).toBe('fetch 6; think 7; write 8; ');
      expect(textOf(await clientOf('worker').getTask(first.id))).toBe('fetch 1; think 2; write 3; ');
      await expect(server.rerun(first.id, { fromStep: 'sleep' })).rejects.toThrow('fetch 1, think 1, write 1');
      await expect(server.rerun(first.id, { fromStep: 'think', message: 'x' })).rejects.toThrow(
        'Either message or fromStep',
      );
    });

    it('are a conversation of their own, which goes on without the other', async () => {
      const { server, clientOf } = await serve(makeNodes());
      const client = clientOf('talker');
      const say = async (contextId?: string) => {
        const task = await client.sendMessage('hello', contextId === undefined ? {} : { contextId });
        if (!('status' in task)) throw new Error('no task');
        return task;
      };
      const first = await say();
      const { contextId } = first;
      const second = await say(contextId);
      await say(contextId);
      const fork = await server.forkContext({ owner: '', id: contextId }, { upTo: second.id });
      expect(fork.taskIds).toHaveLength(2);
      expect(fork.contextId).not.toBe(contextId);
      const copied = await client.getTask(fork.taskIds[0] ?? '');
      expect(copied).toMatchObject({ contextId: fork.contextId, metadata: { [COPIES]: { taskId: first.id } } });
      expect(textOf(copied)).toBe(textOf(first));
      expect(copied.history.map((message) => message.contextId)).toEqual([fork.contextId]);
      expect(textOf(await say(fork.contextId))).toBe('2 before, visit 4');
      expect(textOf(await say(contextId))).toBe('3 before, visit 4');
      await expect(server.forkContext({ owner: 'ann', id: contextId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(server.forkContext({ owner: '', id: contextId }, { upTo: 'x' })).rejects.toMatchObject({
        code: 'TASK_NOT_FOUND',
      });
    });

    it('are made over HTTP by operators', async () => {
      const { server, clientOf, ended } = await serve(makeNodes());
      const first = await clientOf('worker').sendMessage('books');
      if (!('status' in first)) throw new Error('no task');
      const post = async (path: string, body: unknown) => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${server.url}/a2a/operator/${path}`, init);
        return { status: response.status, body: (await response.json()) as Record<string, string> };
      };
      const edited = await post(`tasks/${first.id}/rerun`, { message: { parts: [{ text: 'maps' }] } });
      expect(edited).toMatchObject({ status: 200, body: { agent: 'worker', contextId: first.contextId } });
      await ended(edited.body.taskId ?? '');
      const fork = await post(`contexts/${first.contextId}/fork`, {});
      expect([fork.status, fork.body.taskIds?.length]).toEqual([200, 2]);
      const whole = await post(`contexts/${first.contextId}/fork`, { upTo: first.id });
      expect([whole.status, whole.body.taskIds?.length]).toEqual([200, 1]);
      expect(await post('contexts/another/fork', { upTo: first.id })).toMatchObject({ status: 404 });
      expect(await post(`tasks/${first.id}/rerun`, { message: { parts: 'x' } })).toMatchObject({ status: 400 });
      expect(await post(`tasks/${first.id}/rerun`, { fromStep: 7 })).toMatchObject({ status: 400 });
      expect(await post('tasks/nobody/rerun', {})).toMatchObject({ status: 404 });
      expect(await post('contexts/nobody/fork', {})).toMatchObject({ status: 404 });
    });
  });
}
