import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { defineAgent, reply } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGENTS, worker } from './support/agents.ts';
import { bridgeTo } from './support/bridge.ts';
import { placesOf } from './support/served.ts';

describe('tasks of 2025-11-25', () => {
  const polite = defineAgent({ name: 'polite', description: 'Replies', version: '1', run: () => reply('Hi') });
  const { agent: busy } = worker();
  const { places } = placesOf([...AGENTS, polite, busy]);
  const bridge = bridgeTo(places);

  async function connect() {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { answer: 'Ann' } }));
    await client.connect(bridge.open() as never);
    onTestFinished(() => client.close());
    await client.listTools();
    return client;
  }

  async function stepsOf(name: string, args: Record<string, unknown>) {
    const client = await connect();
    const steps = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, {
      task: {},
    });
    const seen: { readonly type: string; readonly result?: unknown }[] = [];
    for await (const step of steps) seen.push(step as never);
    return seen;
  }

  it('are announced', async () => {
    const client = await connect();
    expect(client.getServerCapabilities()?.tasks).toMatchObject({ cancel: {}, requests: { tools: { call: {} } } });
  });

  it('end with the result', async () => {
    const seen = await stepsOf('talker', { message: 'one two' });
    expect(seen[0]?.type).toBe('taskCreated');
    expect(seen.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'one two' }, {}] } });
  });

  it('ask their questions while the client waits', async () => {
    const seen = await stepsOf('asker', { message: 'hi' });
    expect(seen.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'Hello, Ann' }, {}] } });
  });

  it.for([
    ['polite', { message: 'hi' }, { content: [{ text: 'Hi' }, {}] }],
    ['talker', {}, { isError: true, content: [{ text: expect.stringContaining('"message"') }] }],
  ] as const)('stand for replies and refusals, too: %s %j', async ([name, args, result]) => {
    const client = await connect();
    const { task } = (await client.request(
      { method: 'tools/call', params: { name, arguments: args, task: {} } },
      CallToolResultSchema,
    )) as unknown as { task: { taskId: string } };
    expect(await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema)).toMatchObject(result);
  });

  it('are canceled', async () => {
    const client = await connect();
    const steps = client.experimental.tasks.callToolStream(
      { name: 'worker', arguments: { message: 'go' } },
      CallToolResultSchema,
      { task: {} },
    );
    const created = (await steps.next()).value as unknown as { task: { taskId: string } };
    await client.experimental.tasks.cancelTask(created.task.taskId);
    expect(await client.experimental.tasks.getTask(created.task.taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('that are not there are refused', async () => {
    const client = await connect();
    await expect(client.experimental.tasks.getTask('nothing.1')).rejects.toThrow('There is no task nothing.1');
  });
});
