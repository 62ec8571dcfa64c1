import { APICallError, tool } from 'ai';
import { defineAgent, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import type { RunEvent } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

describe('interceptors', () => {
  it('are told of each model call and tool call, attempts that failed included, and break nothing', async () => {
    const events: RunEvent[] = [];
    const look = tool({ inputSchema: z.object({}), execute: () => 'nothing' });
    const model = scriptedModel(
      () => Promise.reject(new APICallError({ message: 'no', url: 'x', requestBodyValues: {}, statusCode: 503 })),
      { calls: [{ id: 'c1', name: 'look', input: {} }] },
      { text: ['Done.'] },
    );
    const interceptors = [
      {
        event() {
          throw new Error('broken');
        },
      },
      { event: async () => Promise.reject(new Error('broken later')) },
      { event: (event: RunEvent) => void events.push(event) },
    ];
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { look }, limits: { firstDelay: 0 } }), {
      server: { interceptors },
    });
    const task = await agent.client.sendMessage('Go');
    expect(textOf(task)).toBe('Done.');
    const of = { agent: 'helper', taskId: 'id' in task && task.id, contextId: task.contextId };
    const call = { kind: 'model-call', ...of, model: 'mock-1', provider: 'mock' };
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 0, reasoningTokens: 0 };
    const timed = { startedAt: expect.any(Number), endedAt: expect.any(Number) };
    expect(events).toEqual([
      { ...call, ...timed, usage: undefined, finishReason: undefined, error: { kind: 'overloaded', status: 503 } },
      { ...call, ...timed, usage, finishReason: 'tool-calls' },
      { kind: 'tool-call', ...of, ...timed, toolCallId: 'c1', toolName: 'look', isError: false },
      { ...call, ...timed, usage, finishReason: 'stop' },
    ]);
    const failures = agent.logged.filter(({ message }) => message === 'An interceptor failed at an event of a run');
    expect(failures).toHaveLength(8);
  });
});

describe('a call of an agent behind a tool', () => {
  it('is an event as well', async () => {
    const events: RunEvent[] = [];
    const echo = defineAgent({ name: 'echo', description: 'Echoes', version: '1.0.0', run: ({ text }) => text });
    const model = scriptedModel({ calls: [{ id: 'c1', name: 'echo', input: { task: 'hi' } }] }, { text: ['Done.'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { echo } }), {
      agents: [echo],
      server: { interceptors: [{ event: (event: RunEvent) => void events.push(event) }] },
    });
    await agent.client.sendMessage('Go');
    expect(events.map(({ kind }) => kind)).toEqual(['model-call', 'tool-call', 'model-call']);
    expect(events[1]).toMatchObject({ toolCallId: 'c1', toolName: 'echo', isError: false });
  });
});

describe('the usage of a run', () => {
  it.each([
    '1.0',
    '0.3',
  ])('is in the metadata of the last status update and of the task, over the wire of %s', async (version) => {
    const model = scriptedModel({ text: ['Hi.'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const is1 = version === '1.0';
    const message = is1
      ? { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Go' }] }
      : { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Go' }] };
    const post = (method: string, params: object) =>
      agent.fetch(`${agent.url}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': version },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const streamed = await (await post(is1 ? 'SendStreamingMessage' : 'message/stream', { message })).text();
    const frames = streamed.split('\n').filter((line) => line.startsWith('data: '));
    const { result } = JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '');
    const update = is1 ? result.statusUpdate : result;
    expect(update.metadata.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, totalTokens: 15, modelCalls: 1 });
    const got = JSON.parse(await (await post(is1 ? 'GetTask' : 'tasks/get', { id: update.taskId })).text());
    expect(got.result.metadata.usage).toEqual(update.metadata.usage);
  });
});
