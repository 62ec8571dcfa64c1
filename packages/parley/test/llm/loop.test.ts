import { tool } from 'ai';
import { textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

function weatherTool(calls: string[] = []) {
  return tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      calls.push(city);
      return { city, celsius: 20 };
    },
  });
}

describe('an agent of a language model [seed:S0.17]', () => {
  it('streams the tokens of the model as chunks of one artifact', async () => {
    const model = scriptedModel({ text: ['Hel', 'lo', '!'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, instructions: 'Be brief.' }));
    const chunks: string[] = [];
    const stream = agent.client.sendMessageStream('Hi');
    for await (const event of stream) if (event.kind === 'artifact') chunks.push(textOf(event.artifact));
    expect(chunks.filter((chunk) => chunk !== '')).toEqual(['Hel', 'lo', '!']);
    const task = await stream.task;
    expect(task.status.state).toBe('completed');
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0]?.parts).toEqual([{ kind: 'text', text: 'Hello!' }]);
    expect(task.metadata?.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      modelCalls: 1,
    });
    expect(talkOf(model.prompts[0])).toEqual(['system: Be brief.', 'user: Hi']);
  });

  it('writes whole characters, where the model splits one between tokens', async () => {
    const model = scriptedModel({
      reasoning: ['\ud83d', '\ude00'],
      text: ['a\ud83d', '\ude00b', '\ud83d', '\ude80'],
    });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const texts: string[] = [];
    for await (const event of agent.client.sendMessageStream('Smile')) {
      if (event.kind === 'artifact') texts.push(textOf(event.artifact.parts));
    }
    expect(texts.filter((text) => text !== '')).toEqual(['😀', 'a', '😀b', '🚀']);
  });

  it('keeps the reasoning in an artifact of its own, and files of the model beside its text', async () => {
    const files = [{ mediaType: 'image/png', data: 'iVBORw==' }];
    const model = scriptedModel({ reasoning: ['Let me ', 'think.'], text: ['Here:'], files });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const stream = agent.client.sendMessageStream('Draw');
    let text = '';
    for await (const piece of stream.textStream) text += piece;
    const task = await stream.task;
    expect(task.artifacts).toMatchObject([
      { name: 'reasoning', parts: [{ kind: 'text', text: 'Let me think.' }] },
      { parts: [{ text: 'Here:' }, { kind: 'bytes', bytes: 'iVBORw==', mediaType: 'image/png' }] },
    ]);
    expect(text).toBe('Here:');
    expect(textOf(task)).toBe('Here:');
    expect(await agent.client.run('Draw')).toBe('Here:');
  });

  it('carries out tool calls side by side and tells the model their results', async () => {
    const calls: string[] = [];
    const model = scriptedModel(
      {
        text: ['Let me look.'],
        calls: [
          { id: 'c1', name: 'weather', input: { city: 'Rome' } },
          { id: 'c2', name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      { text: ['Both are warm.'] },
    );
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { weather: weatherTool(calls) } }));
    const stream = agent.client.sendMessageStream('Weather?');
    const told: unknown[] = [];
    for await (const event of stream) {
      if (event.kind === 'status' && event.status.message)
        told.push([textOf(event.status.message), event.status.message.metadata]);
    }
    const task = await stream.task;
    expect(calls).toEqual(['Rome', 'Oslo']);
    expect(told).toEqual([
      ['Calling weather…', { toolCall: { toolCallId: 'c1', toolName: 'weather' } }],
      ['Calling weather…', { toolCall: { toolCallId: 'c2', toolName: 'weather' } }],
    ]);
    expect(Object.keys(task.metadata ?? {})).toEqual(['usage']);
    expect(textOf(task)).toBe('Let me look.\n\nBoth are warm.');
    expect(talkOf(model.prompts[1])).toEqual([
      'user: Weather?',
      'assistant: Let me look. [weather {"city":"Rome"}] [weather {"city":"Oslo"}]',
      'tool: {"city":"Rome","celsius":20} {"city":"Oslo","celsius":20}',
    ]);
  });
});
