import { hasToolCall, isStepCount, tool } from 'ai';
import { defineAgent, type TaskContext, textOf } from 'parley-a2a';
import { type LlmTools, llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, type Turn, talkOf } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };
const AGAIN: Turn = { text: ['Once more.'], calls: [{ id: 'c', name: 'look', input: {} }] };

function looking(): { readonly tools: { readonly look: ReturnType<typeof tool> }; readonly count: () => number } {
  let count = 0;
  const look = tool({
    inputSchema: z.object({}),
    execute: () => {
      count += 1;
      return 'nothing';
    },
  });
  return { tools: { look: look as never }, count: () => count };
}

describe('a loop that never ends', () => {
  it('fails the task with the reason max-turns and keeps what there is so far', async () => {
    const model = scriptedModel(AGAIN);
    const { tools, count } = looking();
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools, maxTurns: 3 }));
    const task = await agent.client.sendMessage('Look');
    expect(task).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'max-turns' } } },
      metadata: { usage: { modelCalls: 3 } },
    });
    expect('artifacts' in task && textOf(task.artifacts[0] ?? '')).toBe('Once more.\n\nOnce more.\n\nOnce more.');
    expect(model.prompts).toHaveLength(3);
    // Nobody would have seen the result of the last one.
    expect(count()).toBe(2);
  });

  it('ends with the turns that the caller allows, where those are fewer (S1.5)', async () => {
    const model = scriptedModel(AGAIN);
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: looking().tools, maxTurns: 9 }), {
      server: { mounts: [{ path: '/jaf', dialect: 'jaf' }] },
    });
    const message = { role: 'user', parts: [{ kind: 'text', text: 'Look' }], messageId: 'm-1', contextId: 'c-1' };
    const params = { message, configuration: { maxTurns: 2 } };
    await agent.fetch(`${agent.url}/jaf`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params }),
    });
    expect(model.prompts).toHaveLength(2);
  });

  it('is ended by stopWhen, as in the AI SDK', async () => {
    const stopped = scriptedModel(AGAIN);
    const { tools, count } = looking();
    await using agent = testAgent(llmAgent({ ...ABOUT, model: stopped, tools, stopWhen: isStepCount(2) }));
    const task = await agent.client.sendMessage('Look');
    expect(task).toMatchObject({ status: { state: 'completed' }, metadata: { usage: { modelCalls: 2 } } });
    expect(count()).toBe(2);

    const seen: unknown[] = [];
    const named = scriptedModel(AGAIN);
    const stopWhen = [
      hasToolCall('other'),
      ({ steps }: Parameters<ReturnType<typeof isStepCount>>[0]) => {
        const { text, toolCalls, toolResults, finishReason, usage } = steps.at(-1) ?? steps[0] ?? ({} as never);
        seen.push([text, toolCalls[0]?.toolName, toolResults[0]?.output, finishReason, usage.totalTokens]);
        return steps.length > 1;
      },
    ];
    await using other = testAgent(llmAgent({ ...ABOUT, model: named, tools, stopWhen }));
    await other.client.sendMessage('Look');
    expect(seen).toEqual(Array(2).fill(['Once more.', 'look', 'nothing', 'tool-calls', 15]));
  });

  it('shows stopWhen the results of each response, also where the provider uses the same ids in all', async () => {
    const counted: number[] = [];
    const next = tool({ inputSchema: z.object({}), execute: () => counted.push(0) });
    const model = scriptedModel({ calls: [1, 2].map(() => ({ id: 'call_0', name: 'next', input: {} })) });
    const seen: unknown[] = [];
    const stopWhen = ({ steps }: Parameters<ReturnType<typeof isStepCount>>[0]) => {
      seen.push(steps.map(({ toolResults }) => toolResults.map(({ output }) => output)));
      return steps.length > 1;
    };
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { next }, stopWhen }));
    await agent.client.sendMessage('Count');
    expect(seen).toEqual([
      [[1, 2]],
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });
});

describe('agents as tools of a language model', () => {
  const ASKS: Turn = { calls: [{ id: 'c1', name: 'analyst', input: { task: 'Figures for Q4' } }] };

  it('are called as task.call does: found in the task, forwarded, and limited to the turns that are left', async () => {
    const seen: unknown[] = [];
    const analyst = defineAgent({
      name: 'analyst',
      description: 'Knows figures',
      version: '1.0.0',
      async *run(task) {
        seen.push([task.text, task.maxTurns, task.chain?.hops.length]);
        await task.status('Adding up');
        yield '42';
      },
    });
    const model = scriptedModel(ASKS, { text: ['It is 42.'] });
    const writer = llmAgent({ ...ABOUT, name: 'writer', model, tools: { analyst }, maxTurns: 5 });
    await using agent = testAgent(writer, { agents: [analyst] });
    const task = await agent.client.sendMessage('Write');
    expect(textOf(task)).toBe('It is 42.');
    expect(seen).toEqual([['Figures for Q4', 3, 1]]);
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "42"');
    expect(model.doStreamCalls[0]?.tools).toMatchObject([{ name: 'analyst', description: 'Knows figures' }]);
    const said = 'history' in task ? task.history.map((message) => textOf(message)) : [];
    expect(said).toEqual(['Write', 'Calling analyst…', 'Adding up']);
  });

  it('share the turns that are left among themselves: tools beside them use none', async () => {
    const seen: unknown[] = [];
    const run = ({ maxTurns }: TaskContext) => void seen.push(maxTurns);
    const analyst = defineAgent({ name: 'analyst', description: 'Knows figures', version: '1.0.0', run });
    const look = { id: 'c2', name: 'look', input: {} };
    const model = scriptedModel(
      { calls: [{ id: 'c1', name: 'analyst', input: { task: 'One' } }, look, { ...look, id: 'c3' }] },
      { calls: [1, 2].map((number) => ({ id: `d${number}`, name: 'analyst', input: { task: 'More' } })) },
      { text: ['Done.'] },
    );
    const tools = { analyst, ...looking().tools };
    await using agent = testAgent(llmAgent({ ...ABOUT, name: 'writer', model, tools, maxTurns: 8 }), {
      agents: [analyst],
    });
    await agent.client.sendMessage('Write');
    expect(seen).toEqual([6, 2, 2]);
  });

  it('use up model turns of the caller, also behind client.asTool()', async () => {
    const inner = scriptedModel(AGAIN, AGAIN, { text: ['Found.'] });
    const analyst = llmAgent({ ...ABOUT, name: 'analyst', model: inner, tools: looking().tools });
    const model = scriptedModel(ASKS);
    let client: ReturnType<ReturnType<typeof testAgent>['connect']> | undefined;
    const writer = llmAgent({
      ...ABOUT,
      name: 'writer',
      model,
      tools: (): LlmTools => (client ? { analyst: client.asTool() } : {}),
      maxTurns: 6,
    });
    await using agent = testAgent(writer, { agents: [analyst] });
    client = agent.connect({}, 'analyst');
    const task = await agent.client.sendMessage('Write');
    expect(task).toMatchObject({ status: { state: 'failed', message: { metadata: { reason: 'max-turns' } } } });
    // 1 of the writer, 3 of the analyst, 1 of the writer; nothing is left for the analyst then.
    expect(inner.prompts).toHaveLength(3);
    expect(model.prompts).toHaveLength(3);
    expect(talkOf(model.prompts[2]).at(-1)).toMatch(/^tool: "The agent's task is failed: .* model turns/);
  });
});
