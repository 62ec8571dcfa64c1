import { type Agent, defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
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

  it.for(['', 'nothing', 'nothing.1', '.', 'x'.repeat(10_000)])('refuse the id %j', async (taskId) => {
    const { agent } = worker();
    const { send } = httpBridgeTo(placesOf([agent]).places);
    const { session } = await taskSession(send);
    await expect(session.task(taskId as never).snapshot()).rejects.toThrow();
    await session.close();
  });
});
