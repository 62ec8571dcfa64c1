import { A2AClient, type Agent, defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { taskIdOf } from '../../src/bridges/mcp/serving/tasks/task-ids.ts';
import { markOf } from '../../src/bridges/mcp/tool-names.ts';
import { worker } from './support/agents.ts';
import { placesOf } from './support/served.ts';
import { httpBridgeTo, taskSession } from './support/task-client.ts';

/** Works until it is let go, then asks. */
function slow() {
  const gate = Promise.withResolvers<void>();
  const agent: Agent = defineAgent({
    name: 'slow',
    description: 'Takes its time',
    version: '1',
    async run(task) {
      await task.status('busy');
      await gate.promise;
      if (task.text === 'both') return (await Promise.all([task.ask('First?'), task.ask('Second?')])).join();
      const first = task.text === 'ask' ? await task.ask('First?') : '';
      const second = task.text === 'ask' ? await task.ask('Second?') : '';
      return `done ${first}${second}`;
    },
  });
  return { agent, release: gate.resolve };
}

/** The error of a request about a task, from a client with these abilities. */
async function errorOf(
  send: ReturnType<typeof httpBridgeTo>['send'],
  method: string,
  abilities: Record<string, unknown>,
  taskId = 'nothing.1',
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': abilities,
  };
  const response = await send('http://localhost/mcp', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { taskId, _meta } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': taskId,
    },
  });
  return ((await response.json()) as { readonly error?: unknown }).error;
}

describe('tasks of the extension io.modelcontextprotocol/tasks', () => {
  it('come in the place of results that take long, and end with them', async () => {
    const { agent, release } = slow();
    const { places } = placesOf([agent]);
    const { send } = httpBridgeTo(places, 0);
    const { client, session } = await taskSession(send);
    expect(client.getServerCapabilities()).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const execution = await session.callTool('slow', { message: 'go' });
    expect(execution.kind).toBe('task');
    const taskId = execution.handle?.taskId as NonNullable<typeof execution.handle>['taskId'];
    await expect
      .poll(() => session.task(taskId).snapshot())
      .toMatchObject({ status: 'working', statusMessage: 'busy' });
    release();
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ type: 'text', text: 'done ' }, {}] } });

    // Another bridge to the same agent, as after a restart, knows the task.
    const again = await taskSession(httpBridgeTo(places).send);
    expect(await again.session.task(taskId).snapshot()).toMatchObject({ status: 'completed' });
    await Promise.all([session.close(), again.session.close()]);
  });

  it('ask their questions, each with a key of its own', async () => {
    const { agent, release } = slow();
    const { send } = httpBridgeTo(placesOf([agent]).places, 0);
    const asked: unknown[] = [];
    const { session } = await taskSession(send, (params) => {
      asked.push(params);
      return { action: 'accept', content: { answer: String(asked.length) } };
    });
    const execution = await session.callTool('slow', { message: 'ask' });
    release();
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ text: 'done 12' }, {}] } });
    expect(asked).toMatchObject([{ message: 'First?' }, { message: 'Second?' }]);
    await session.close();
  });

  it.for([
    'decline',
    'cancel',
  ] as const)('end where one of two questions gets %s: the client asks none twice', async (action) => {
    const { agent, release } = slow();
    const { send } = httpBridgeTo(placesOf([agent]).places, 0);
    const { session } = await taskSession(send, (params) =>
      (params as { readonly message: string }).message === 'First?'
        ? { action: 'accept', content: { answer: '1' } }
        : { action },
    );
    const execution = await session.callTool('slow', { message: 'both' });
    release();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
    await session.close();
  });

  it('are canceled with their agents’ tasks', async () => {
    const { agent } = worker();
    const { places } = placesOf([agent]);
    const { send } = httpBridgeTo(places, 0);
    const { session } = await taskSession(send);
    const execution = await session.callTool('worker', { message: 'go' });
    await execution.cancel();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
    const id = execution.handle?.taskId.split('.')[1] ?? '';
    expect((await places[0]?.client.getTask(id))?.status.state).toBe('canceled');
    await session.close();
  });

  it('are results where the agent is quick', async () => {
    const quick = defineAgent({ name: 'quick', description: 'Quick', version: '1', run: () => 'now' });
    const { send } = httpBridgeTo(placesOf([quick]).places, 600_000);
    const { session } = await taskSession(send);
    const execution = await session.callTool('quick', { message: 'go' });
    expect(execution.kind).toBe('immediate');
    await session.close();
  });

  it.for(['tasks/get', 'tasks/update', 'tasks/cancel'])('want the extension declared with %s', async (method) => {
    const { agent } = worker();
    const { send } = httpBridgeTo(placesOf([agent]).places);
    expect(await errorOf(send, method, {})).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
  });

  it('are not called unknown while their agent cannot be reached', async () => {
    const { agent } = worker();
    const { places } = placesOf([agent]);
    const { send, roster } = httpBridgeTo(
      places.map(({ url }) => ({
        url,
        client: new A2AClient(url, { fetch: () => Promise.reject(new Error('gone')) }),
      })),
    );
    const taskId = taskIdOf({ agent: roster.agentOf(markOf(places[0]?.url ?? '')) as never, taskId: '1' });
    const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    expect(await errorOf(send, 'tasks/get', declared, taskId)).toMatchObject({ code: -32603 });
    const known = httpBridgeTo(places);
    expect(await errorOf(known.send, 'tasks/get', declared, taskId)).toMatchObject({ code: -32602 });
  });

  it.for(['', 'nothing', 'nothing.1', '.', 'x'.repeat(10_000)])('refuse the id %j', async (taskId) => {
    const { agent } = worker();
    const { send } = httpBridgeTo(placesOf([agent]).places);
    const { session } = await taskSession(send);
    await expect(session.task(taskId as never).snapshot()).rejects.toThrow();
    await session.close();
  });
});
