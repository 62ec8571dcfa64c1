import { agentResult, isTask } from 'parley-a2a';
import { childrenOf } from 'parley-a2a/extensions';
import { testAgent } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { agentOf, hang } from '../../support/script.ts';

const helper = agentOf((task) => `heard ${task.text}`, { name: 'helper' });

it('a streamed task has the metadata that getTask shows: usage, children and what updates said', async () => {
  await using test = testAgent(
    agentOf(async (task) => {
      await task.status('Begun', { metadata: { progress: 10, phase: 'reading' } });
      await task.call(helper, 'hello').task;
      await task.status('Nearly there', { metadata: { progress: 90 } });
      return agentResult({ text: 'done', usage: { tokens: 7 } });
    }),
    { agents: [helper] },
  );
  const requests: string[] = [];
  const client = test.connect({
    interceptors: [
      (call, next) => {
        requests.push(call.operation);
        return next(call);
      },
    ],
  });
  const task = await client.sendMessageStream('go').task;
  expect(task.metadata).toMatchObject({ progress: 90, phase: 'reading', usage: { tokens: 7 } });
  expect(childrenOf(task.metadata)).toHaveLength(1);
  // The events alone told it.
  expect(requests).toEqual(['sendStreamingMessage']);
  expect(task).toEqual(await client.getTask(task.id));
  const sent = await client.sendMessage('go');
  expect(isTask(sent) && sent.metadata?.usage).toEqual({ tokens: 7 });
});

it('what was noted before a crash comes with the status that ends the task', async () => {
  await using test = testAgent(
    agentOf(async (task) => {
      await task.call(helper, 'hello').task;
      return hang(task);
    }),
    { agents: [helper] },
  );
  const stream = test.client.sendMessageStream('go');
  const whole = stream.task;
  const id = await stream.id;
  await eventually(async () => childrenOf((await test.client.getTask(id)).metadata).length).toBe(1);
  await test.restart();
  await test.advance(60_000);
  const task = await whole;
  expect(task.status.state).toBe('failed');
  expect(childrenOf(task.metadata)).toHaveLength(1);
  expect(task).toEqual(await test.client.getTask(task.id));
});
