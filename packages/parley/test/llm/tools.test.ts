import { tool } from 'ai';
import { reject, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };
const DONE = { text: ['Done.'] };

describe('tools of a language model', () => {
  it('tell the model what is wrong with its arguments, and it may try again', async () => {
    const used: unknown[] = [];
    const look = tool({ inputSchema: z.object({ at: z.string() }), execute: (input) => void used.push(input) });
    const model = scriptedModel(
      { calls: [{ id: 'c1', name: 'look', input: '{"at": "a' }] },
      { calls: [{ id: 'c2', name: 'look', input: { at: 5 } }] },
      { calls: [{ id: 'c3', name: 'loook', input: {} }] },
      { calls: [{ id: 'c4', name: '__proto__', input: {} }] },
      { calls: [{ id: 'c5', name: 'look', input: { at: 'a' } }] },
      DONE,
    );
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { look } }));
    const task = await agent.client.sendMessage('Look');
    expect(task).toMatchObject({ status: { state: 'completed' } });
    expect(used).toEqual([{ at: 'a' }]);
    const told = [1, 2, 3, 4, 5].map((turn) => talkOf(model.prompts[turn]).at(-1));
    expect(told[0]).toMatch(/^tool: "Invalid input for tool look: .*JSON parsing failed/);
    expect(told[1]).toMatch(/^tool: "Invalid input for tool look: .*Type validation failed/);
    expect(told[2]).toMatch(/^tool: ".*loook.*Available tools: look/);
    expect(told[3]).toMatch(/^tool: ".*__proto__/);
    expect(told[4]).toBe('tool: null');
  });

  it('tell the model what they throw, and a rejection ends the task', async () => {
    const fail = tool({
      inputSchema: z.object({ how: z.string() }),
      execute: ({ how }): string => {
        if (how === 'reject') throw reject('Not for you');
        throw new Error('no such file');
      },
    });
    const model = scriptedModel({ calls: [{ id: 'c1', name: 'fail', input: { how: 'throw' } }] }, DONE);
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { fail } }));
    expect(textOf(await agent.client.sendMessage('Go'))).toBe('Done.');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "no such file"');
    expect(agent.logged.map(({ message }) => message)).toEqual(['A tool failed']);

    const rejecting = scriptedModel({ calls: [{ id: 'c1', name: 'fail', input: { how: 'reject' } }] }, DONE);
    await using other = testAgent(llmAgent({ ...ABOUT, model: rejecting, tools: { fail } }));
    const task = await other.client.sendMessage('Go');
    expect(task).toMatchObject({ status: { state: 'rejected' } });
    expect(textOf(task)).toBe('Not for you');
  });

  it('may give files in bytes, which the model gets whole, also after a restart', async () => {
    const png = new Uint8Array([1, 2, 3]);
    const draw = tool({
      inputSchema: z.object({}),
      execute: () => 'drawn',
      toModelOutput: () => ({
        type: 'content',
        value: [png, png.buffer, 'AQID'].map((data) => {
          return { type: 'file', mediaType: 'image/png', data: { type: 'data', data } } as const;
        }),
      }),
    });
    const model = scriptedModel({ calls: [{ id: 'c1', name: 'draw', input: {} }] }, DONE);
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { draw } }));
    const { contextId } = await agent.client.sendMessage('Draw');
    await agent.restart();
    await agent.client.sendMessage('And?', { contextId });
    const piece = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } };
    const content = [{ type: 'tool-result', output: { type: 'content', value: [piece, piece, piece] } }];
    for (const prompt of model.prompts.slice(1)) expect(prompt[2]).toMatchObject({ role: 'tool', content });
  });

  it('have results of a bounded length, and responses a bounded number of calls', async () => {
    const write = tool({
      inputSchema: z.object({ as: z.string() }),
      execute: ({ as }) => (as === 'text' ? 'x'.repeat(30) : { x: 'x'.repeat(30) }),
    });
    const call = (id: string, as: string) => ({ id, name: 'write', input: { as } });
    const model = scriptedModel({ calls: [call('c1', 'text'), call('c2', 'json'), call('c3', 'text')] }, DONE);
    await using agent = testAgent(
      llmAgent({ ...ABOUT, model, tools: { write }, limits: { toolResultLength: 10, toolCalls: 2 } }),
    );
    await agent.client.sendMessage('Write');
    expect(talkOf(model.prompts[1]).at(-1)).toBe(
      'tool: "xxxxxxxxxx… [cut: the result has 30 characters, the first 10 are shown]" ' +
        '"{\\"x\\":\\"xxxx… [cut: the result has 38 characters, the first 10 are shown]" ' +
        '"Not carried out: a response may have 2 tool calls (limits.toolCalls)"',
    );
  });

  it('see the conversation and the signal of the task; outputs that come one by one count to the last', async () => {
    const seen: unknown[] = [];
    const count = tool({
      inputSchema: z.object({}),
      async *execute(_, { messages, abortSignal, toolCallId }) {
        seen.push([messages.map(({ role }) => role), abortSignal?.aborted, toolCallId]);
        yield 'one';
        yield 'two';
      },
      toModelOutput: ({ output }) => ({ type: 'text', value: `counted to ${output}` }),
    });
    const model = scriptedModel({ calls: [{ id: 'c1', name: 'count', input: '' }] }, DONE);
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: () => ({ count }) }));
    await agent.client.sendMessage('Count');
    expect(seen).toEqual([[['user', 'assistant'], false, 'c1']]);
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "counted to two"');
  });
});
