import { A2AServer, defineAgent, memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogPage, NodeList, ServerInfo, TaskPage, TaskTree } from '../../src/server/operator/console-api.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const echo = agentOf((task) => task.text, { name: 'echo' });
const chunks = defineAgent({
  name: 'chunks',
  description: 'Says two words',
  version: '2.0.0',
  resumable: true,
  async *run(task) {
    yield 'one ';
    await task.step('pause', () => 1);
    yield 'two';
  },
});

async function serve(store: Store) {
  const server = new A2AServer({ agents: [echo, chunks], store, log: { error: () => {}, warn: () => {} } });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const read = async <Body>(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: Body; type: string }> => {
    const response = await fetch(`${server.url}/a2a/operator/${path}`, init);
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, body: (await response.json()) as Body, type };
  };
  const peerOf = (agent: string) => new RpcPeer((request) => fetch(request), `${server.url}/a2a/agents/${agent}`);
  return { server, read, peerOf };
}

describe.each([
  ['memory', () => memory()],
  ['sqlite', () => sqlite(':memory:')],
] as const)('operators on %s', (kind, makeStore) => {
  it('read what the server is, its tasks and their logs', async () => {
    const { read, peerOf } = await serve(makeStore());
    const info = await read<ServerInfo>('server');
    expect(info.body).toMatchObject({
      version: '0.1.0',
      basePath: '/a2a',
      store: { kind, isShared: false },
      auth: { isOn: false, schemes: [] },
      features: { push: true, console: false },
      agents: [
        { name: 'echo', path: '/a2a/agents/echo', isDefault: true, isResumable: false },
        { name: 'chunks', version: '2.0.0', isDefault: false, isResumable: true },
      ],
    });
    const first = await peerOf('echo').send('hello');
    const second = await peerOf('chunks').send('go');
    const { body: page } = await read<TaskPage>('all-tasks');
    expect(page.tasks.map(({ id, agent, state, activity }) => [id, agent, state, activity])).toEqual([
      [second.id, 'chunks', 'TASK_STATE_COMPLETED', 'ended'],
      [first.id, 'echo', 'TASK_STATE_COMPLETED', 'ended'],
    ]);
    expect(page.total).toBe(2);
    const { body: log } = await read<LogPage>(`tasks/${second.id}/events`);
    expect(log.events.map(({ seq, kind }) => [seq, kind])).toEqual(
      expect.arrayContaining([
        [1, 'created'],
        [2, 'message'],
      ]),
    );
    expect(log.events.map(({ seq }) => seq)).toEqual(log.events.map((_, index) => index + 1));
    expect(log.events.at(-1)?.event).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(log.next).toBeUndefined();
    // Nothing had to wait for a slot.
    const { body: tree } = await read<TaskTree>(`tasks/${second.id}/tree`);
    expect(tree.root.found?.spans.filter((span) => span.kind !== 'running')).toEqual([]);
    expect(tree.root.found?.steps).toMatchObject([{ name: 'pause 1', from: expect.any(String) }]);
    const nodes = await read<NodeList>('nodes');
    expect(nodes.body.nodes).toEqual([{ name: info.body.node, role: 'all', isThis: true }]);
  });
});
