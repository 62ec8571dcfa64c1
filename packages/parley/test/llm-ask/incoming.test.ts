import { tool } from 'ai';
import { textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from '../llm/support/mock-model.ts';
import { gate } from '../support/script.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };
const LOOKS = { text: ['Looking.'], calls: [{ id: 'c1', name: 'look', input: {} }] };

describe('a message to a task at work [seed:S0.17]', () => {
  it('is seen by the next model call, as the caller’s, also after a restart', async () => {
    const [looking, looked, answering] = [gate(), gate(), gate()];
    const never = new Promise<never>(() => {});
    const agentOf = (isFirst: boolean) => {
      const hangs = {
        text: ['Half'],
        hang: () => {
          answering.resolve();
          return never;
        },
      };
      const model = isFirst ? scriptedModel(LOOKS, hangs) : scriptedModel({ text: ['In Oslo.'] });
      const look = tool({
        inputSchema: z.object({}),
        execute: async () => {
          looking.resolve();
          await looked.promise;
          return 'nothing';
        },
      });
      return { model, agent: llmAgent({ ...ABOUT, model, tools: { look } }) };
    };
    const first = agentOf(true);
    await using served = testAgent(first.agent);
    const task = served.client.sendMessageStream('Where is it?').task;
    await looking.promise;
    const { tasks } = await served.client.listTasks();
    const options = { taskId: tasks[0]?.id, returnImmediately: true };
    await served.client.sendMessage('Try Oslo', options);
    await served.client.sendMessage({ parts: [{ kind: 'data', data: { or: 'Rome' } }] }, options);
    looked.resolve();
    await answering.promise;
    const talk = ['user: Where is it?', 'assistant: Looking. [look {}]', 'tool: "nothing"', 'user: Try Oslo'];
    expect(talkOf(first.model.prompts[1])).toEqual([...talk, 'user: {"or":"Rome"}']);
    const second = agentOf(false);
    await served.restart(second.agent);
    expect(textOf(await task)).toContain('In Oslo.');
    expect(talkOf(second.model.prompts[0])).toEqual([...talk, 'user: {"or":"Rome"}']);
  });

  it('that comes while the model says its last words is answered before the task ends', async () => {
    const [speaking, spoken] = [gate(), gate()];
    const model = scriptedModel(
      async () => {
        speaking.resolve();
        await spoken.promise;
        return { text: ['Rome.'] };
      },
      { text: ['Then Oslo.'] },
    );
    await using served = testAgent(llmAgent({ ...ABOUT, model }));
    const task = served.client.sendMessageStream('Where to?').task;
    await speaking.promise;
    const { tasks } = await served.client.listTasks();
    const told = served.client.sendMessage('Somewhere cold', { taskId: tasks[0]?.id, returnImmediately: true });
    await told;
    spoken.resolve();
    expect(textOf(await task)).toBe('Rome.\n\nThen Oslo.');
    expect(talkOf(model.prompts[1])).toEqual(['user: Where to?', 'assistant: Rome.', 'user: Somewhere cold']);
  });

  it('is no approval of what the model calls after it', async () => {
    const [thinking, thought] = [gate(), gate()];
    const removed: string[] = [];
    const model = scriptedModel(
      async () => {
        thinking.resolve();
        await thought.promise;
        return { calls: [{ id: 'c1', name: 'remove', input: {} }] };
      },
      { text: ['All right.'] },
    );
    const remove = tool({ inputSchema: z.object({}), execute: () => removed.push('all') });
    await using served = testAgent(
      llmAgent({ ...ABOUT, model, tools: { remove }, toolApproval: { remove: 'user-approval' } }),
    );
    const asked = served.client.sendMessageStream('Tidy up').task;
    await thinking.promise;
    const { tasks } = await served.client.listTasks();
    const taskId = tasks[0]?.id;
    await served.client.sendMessage('approve', { taskId, returnImmediately: true });
    thought.resolve();
    expect((await asked).status.state).toBe('input-required');
    expect(removed).toEqual([]);
    expect(textOf(await served.client.sendMessage('refuse', { taskId }))).toBe('All right.');
    expect(removed).toEqual([]);
    expect(talkOf(model.prompts[1]).at(-1)).toBe('user: approve');
  });
});
