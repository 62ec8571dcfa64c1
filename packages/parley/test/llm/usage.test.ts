import { tool } from 'ai';
import { isTask, reject } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

const inputSchema = z.object({});
const CALL = { calls: [{ id: 'c1', name: 'act', input: {} }] };
const hang = tool({
  inputSchema,
  execute: (_, { abortSignal }) =>
    new Promise((_, no) => abortSignal?.addEventListener('abort', () => no(new Error()))),
});
const refuse = tool({
  inputSchema,
  execute: (): string => {
    throw reject('No');
  },
});

it.each([
  ['rejected', refuse, 'rejected'],
  ['without a tool of the caller', tool({ inputSchema }), 'failed'],
  ['out of time', hang, 'failed'],
] as const)('a task that ends %s tells what it has used', async (_, act, state) => {
  const model = scriptedModel(CALL);
  const server = { limits: { runTimeout: 300 } };
  await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { act } }), { server });
  const task = await agent.client.sendMessage('Go');
  expect(isTask(task) && [task.status.state, task.metadata?.usage]).toMatchObject([state, { modelCalls: 1 }]);
});

it('a task that is canceled tells what it has used, to streaming callers as well', async () => {
  const model = scriptedModel(CALL);
  await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { act: hang } }));
  const stream = agent.client.sendMessageStream('Go');
  const metadata: unknown[] = [];
  for await (const event of stream) {
    if (event.kind !== 'status') continue;
    metadata.push(event.metadata);
    if (event.status.message) await agent.client.cancelTask(event.taskId);
  }
  expect(metadata.at(-1)).toMatchObject({ usage: { modelCalls: 1 } });
  expect(await stream.result).toMatchObject({ status: { state: 'canceled' }, metadata: { usage: { modelCalls: 1 } } });
});
