import { generateObject, generateText, Output, streamText } from 'ai';
import { authRequired, bytes, chunk, complete, type JsonValue, json, type TaskContext } from 'parley-a2a';
import { a2aModel } from 'parley-a2a/llm';
import type { RunResult } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentOf, gate } from '../support/script.ts';
import { prompt, streamed } from './support/outcomes.ts';
import { served } from './support/served.ts';

describe('questions', () => {
  const asker = agentOf(async (task) => {
    const color = await task.ask({ prompt: 'Which color?', choices: ['red', 'blue'] });
    return `You chose ${color}`;
  });

  it('are an outcome of their own, and the next call answers them', async () => {
    await using kit = await served(asker);
    const model = a2aModel(kit.client);
    const first = await generateText({ model, prompt });
    expect(first.text).toContain('Which color?');
    expect([first.finishReason, first.rawFinishReason]).toEqual(['other', 'input-required']);
    const { taskId, contextId, state, question } = first.providerMetadata?.a2a ?? {};
    expect(state).toBe('input-required');
    expect(question).toMatchObject({ prompt: 'Which color?', choices: [{ value: 'red' }, { value: 'blue' }] });
    const providerOptions = { a2a: { taskId, contextId } } as { a2a: { taskId: string; contextId: string } };
    const second = await generateText({ model, prompt: 'blue', providerOptions });
    expect([second.text, second.finishReason]).toEqual(['You chose blue', 'stop']);
    expect(second.providerMetadata?.a2a?.taskId).toBe(taskId);
  });

  it('and the answer has only what is new, not what the task had before', async () => {
    const agent = agentOf(async function* (task) {
      yield 'Before. ';
      yield chunk(bytes('a', { mediaType: 'text/plain' }), { artifactId: 'files' });
      yield `After ${await task.ask('Well?')}.`;
      yield chunk(bytes('b', { mediaType: 'text/plain' }), { artifactId: 'files' });
    });
    await using kit = await served(agent);
    const model = a2aModel(kit.client);
    for (const isStreamed of [false, true]) {
      const first = await generateText({ model, prompt });
      expect(first.text).toBe('Before. \n\nWell?');
      const { taskId, contextId } = first.providerMetadata?.a2a ?? {};
      const providerOptions = { a2a: { taskId, contextId } as { taskId: string; contextId: string } };
      const settings = { model, prompt: 'yes', providerOptions };
      const second = isStreamed ? streamText(settings) : await generateText(settings);
      expect(await second.text).toBe('After yes.');
      expect((await second.files).map(({ base64 }) => base64)).toEqual(['Yg==']);
    }
  });

  it('are so in a stream', async () => {
    await using kit = await served(asker);
    const { result } = await streamed(kit);
    expect(await result.text).toContain('Which color?');
    expect([await result.finishReason, await result.rawFinishReason]).toEqual(['other', 'input-required']);
    expect((await result.providerMetadata)?.a2a).toMatchObject({ question: { prompt: 'Which color?' } });
  });

  it('are answered by the client where it can', async () => {
    await using kit = await served(asker, { onInput: () => 'red' });
    expect((await generateText({ model: a2aModel(kit.client), prompt })).text).toBe('You chose red');
  });

  it('of an authorization too', async () => {
    await using kit = await served(agentOf(() => authRequired('Log in first')));
    const { text, rawFinishReason } = await generateText({ model: a2aModel(kit.client), prompt });
    expect([text, rawFinishReason]).toEqual(['Log in first', 'auth-required']);
    const { result } = await streamed(kit);
    expect([await result.text, await result.rawFinishReason]).toEqual(['Log in first', 'auth-required']);
    expect(await kit.client.asTool().execute({ task: prompt })).toMatchObject({
      success: false,
      error: 'The task is auth-required: Log in first',
    });
  });
});

describe('usage', () => {
  const usage = { inputTokens: 10, outputTokens: 7, totalTokens: 17, cachedInputTokens: 4, reasoningTokens: 2 };
  const told = (cost: JsonValue) => async (task: TaskContext) => {
    await task.status('counted', { metadata: { usage: cost } });
    return 'done';
  };
  const seen = {
    inputTokens: 10,
    outputTokens: 7,
    totalTokens: 17,
    inputTokenDetails: { noCacheTokens: 6, cacheReadTokens: 4 },
    outputTokenDetails: { textTokens: 5, reasoningTokens: 2 },
  };

  it("is that of the task's metadata", async () => {
    await using kit = await served(agentOf(told(usage)));
    expect((await generateText({ model: a2aModel(kit.client), prompt })).usage).toMatchObject(seen);
    const { result } = await streamed(kit);
    expect(await result.usage).toMatchObject(seen);
  });

  it('is unknown where an agent tells none, or nonsense', async () => {
    for (const nonsense of [{ inputTokens: -1, outputTokens: 'many' }, [7], 'much', {}]) {
      await using kit = await served(agentOf(told(nonsense)));
      const { usage: counted } = await generateText({ model: a2aModel(kit.client), prompt });
      expect([counted.inputTokens, counted.outputTokens]).toEqual([undefined, undefined]);
    }
  });
});

describe('JSON', () => {
  const Report = z.object({ quarter: z.string(), growth: z.number() });
  const value = { quarter: 'Q4', growth: 0.25 };
  const answers: [string, (task: TaskContext) => RunResult][] = [
    ['data', () => json(value)],
    [
      'data beside a text',
      async function* () {
        yield 'Sales went up.';
        yield chunk(json(value), { artifactId: 'figures' });
      },
    ],
    [
      'text in chunks',
      async function* () {
        for (const sign of JSON.stringify(value)) yield sign;
      },
    ],
    ['text in a fence', () => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`],
    ['a status message', () => complete(JSON.stringify(value))],
  ];

  it.for(answers)('of an agent that returns %s is an object', async ([, run]) => {
    await using kit = await served(agentOf(run));
    const model = a2aModel(kit.client);
    const { output } = await generateText({ model, prompt, output: Output.object({ schema: Report }) });
    expect(output).toEqual(value);
    const stream = streamText({ model, prompt, output: Output.object({ schema: Report }) });
    expect(await stream.output).toEqual(value);
    expect((await generateObject({ model, prompt, schema: Report })).object).toEqual(value);
  });

  it('is asked for in words, with its schema', async () => {
    let told = '';
    await using kit = await served(
      agentOf((task) => {
        told = task.text;
        return json(value);
      }),
    );
    await generateText({ model: a2aModel(kit.client), prompt, output: Output.object({ schema: Report }) });
    expect(told).toMatch(/^Go\n\nAnswer with JSON alone.*"growth":\{"type":"number"\}/s);
  });

  it('streams as it comes', async () => {
    const half = gate();
    await using kit = await served(
      agentOf(async function* () {
        yield '{"quarter":"Q4",';
        await half.promise;
        yield '"growth":0.25}';
      }),
    );
    const stream = streamText({ model: a2aModel(kit.client), prompt, output: Output.object({ schema: Report }) });
    for await (const partial of stream.partialOutputStream) if ('quarter' in partial) half.resolve();
    expect(await stream.output).toEqual(value);
  });
});
