import { hasToolCall, tool } from 'ai';
import { A2AClient, type Agent, dataOf, json, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from './support/mock-model.ts';

const ABOUT = { name: 'parser', description: 'Reads orders', version: '1.0.0' };
const ORDER = z.object({ item: z.string(), count: z.number().int().positive() });

describe('an agent of a language model with an output schema', () => {
  it('ends with data of the schema, which its card publishes, and shows no raw text', async () => {
    const model = scriptedModel({ text: ['{"item":"te', 'a","count":2}'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, output: ORDER, instructions: 'Read the order.' }));
    const stream = agent.client.sendMessageStream('Two teas');
    const texts: string[] = [];
    for await (const event of stream) if (event.kind === 'artifact') texts.push(textOf(event.artifact));
    const task = await stream.task;
    expect(task.status.state).toBe('completed');
    expect(texts.join('')).toBe('');
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0]).toMatchObject({ name: 'data' });
    expect(dataOf(task)).toEqual({ item: 'tea', count: 2 });
    const card = await agent.client.agentCard();
    expect(JSON.stringify(card.capabilities.extensions)).toContain('"count"');
    expect(model.doStreamCalls[0]?.responseFormat).toMatchObject({ type: 'json', schema: { type: 'object' } });
    expect(talkOf(model.prompts[0])[0]).toMatch(/^system: Read the order\.\n\nRespond with JSON alone .*"count"/s);
  });

  it('has the types of its result', async () => {
    const parser = llmAgent({
      ...ABOUT,
      name: 'parser',
      model: scriptedModel({ text: ['{"item":"tea","count":2}'] }),
      output: ORDER,
    });
    await using agent = testAgent(parser);
    const client = new A2AClient<typeof parser>(agent.url, { fetch: agent.fetch });
    const order = await client.skill('parser').call('Two teas');
    expectTypeOf(order).toEqualTypeOf<{ item: string; count: number }>();
    expect(order).toEqual({ item: 'tea', count: 2 });
    const plain = llmAgent({ ...ABOUT, model: scriptedModel({}) });
    expectTypeOf(plain).toEqualTypeOf<Agent>();
  });

  it('has its schema taken by strict data modes: objects are closed, and a root that is no object is told in words', async () => {
    const shelf = z.object({ name: z.string(), places: z.array(z.object({ at: z.number() })) });
    const output = z.object({
      shelf,
      note: z.union([z.null(), z.object({ by: z.string() })]),
      tags: z.record(z.string(), z.string()),
    });
    const model = scriptedModel({ text: ['{"shelf":{"name":"a","places":[]},"note":null,"tags":{}}'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, output }));
    expect(await agent.client.sendMessage('Read')).toMatchObject({ status: { state: 'completed' } });
    expect(model.doStreamCalls[0]?.responseFormat).toMatchObject({
      schema: {
        additionalProperties: false,
        properties: {
          shelf: { additionalProperties: false, properties: { places: { items: { additionalProperties: false } } } },
          note: { anyOf: [{ type: 'null' }, { additionalProperties: false }] },
          tags: { additionalProperties: { type: 'string' } },
        },
      },
    });

    const list = scriptedModel({ text: ['["a"]'] });
    await using other = testAgent(llmAgent({ ...ABOUT, model: list, output: z.array(z.string()) }));
    expect(dataOf(await other.client.sendMessage('Read'))).toEqual(['a']);
    expect(list.doStreamCalls[0]?.responseFormat?.type ?? 'text').toBe('text');
    expect(talkOf(list.prompts[0])[0]).toMatch(/^system: Respond with JSON alone .*"array"/);
  });

  it('asks once more where the result does not fit, and takes JSON in a block of Markdown', async () => {
    const model = scriptedModel(
      { text: ['{"item":"tea","count":-1}'] },
      { text: ['```json\n{"item":"tea","count":1}\n```'] },
    );
    await using agent = testAgent(llmAgent({ ...ABOUT, model, output: ORDER }));
    const task = await agent.client.sendMessage('A tea');
    expect(dataOf(task)).toEqual({ item: 'tea', count: 1 });
    expect(task.metadata).toMatchObject({ usage: { modelCalls: 2 } });
    const talk = talkOf(model.prompts[1]);
    expect(talk.slice(1, 3)).toEqual(['user: A tea', 'assistant: {"item":"tea","count":-1}']);
    expect(talk[3]).toMatch(/^user: Your response does not fit the JSON Schema: data\.count: /);
  });

  it('fails clearly where the second result does not fit either', async () => {
    const model = scriptedModel({ text: ['no JSON at all'] }, { text: ['{"item":1}'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, output: ORDER }));
    const task = await agent.client.sendMessage('A tea');
    expect(task).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'invalid-output' } } },
      metadata: { usage: { modelCalls: 2 } },
    });
    expect(textOf(task)).toMatch(/does not fit its schema: data\.item: /);
    expect(model.prompts).toHaveLength(2);
  });

  it('that stopWhen ends has the data beside its last calls, or what a tool has written', async () => {
    const calls = [{ id: 'c', name: 'look', input: {} }];
    const model = scriptedModel({ text: ['{"item":"tea","count":1}'], calls }, { calls });
    const look = tool({ inputSchema: z.object({}), execute: () => 'nothing' });
    await using agent = testAgent(
      llmAgent({ ...ABOUT, model, output: ORDER, tools: { look }, stopWhen: hasToolCall('look') }),
    );
    expect(dataOf(await agent.client.sendMessage('A tea'))).toEqual({ item: 'tea', count: 1 });
    const without = await agent.client.sendMessage('A tea');
    expect(without).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'invalid-agent-response' } } },
    });
    const submit = { id: 's', name: 'submit', input: {} };
    await using writing = testAgent(
      llmAgent({
        ...ABOUT,
        model: scriptedModel({ calls: [submit] }),
        output: ORDER,
        tools: (task) => ({
          submit: tool({
            inputSchema: z.object({}),
            execute: async () => {
              await task.write(json({ item: 'tea', count: 2 }));
              return 'done';
            },
          }),
        }),
        stopWhen: hasToolCall('submit'),
      }),
    );
    const written = await writing.client.sendMessage('Two teas');
    expect(written).toMatchObject({ status: { state: 'completed' } });
    expect(dataOf(written)).toEqual({ item: 'tea', count: 2 });
  });

  it('holds each skill to its own output', async () => {
    const model = scriptedModel({ text: ['{"total":3}'] });
    const skill = { name: 'Count', description: 'Counts', tags: ['numbers'] };
    const skills = [
      {
        id: 'count',
        ...skill,
        output: {
          schema: z.object({ total: z.number().transform((total) => total * 10) }),
          jsonSchema: { type: 'object' },
        },
      },
      { id: 'talk', ...skill },
    ];
    await using agent = testAgent(llmAgent({ ...ABOUT, model, skills }));
    // The schema is applied once.
    expect(dataOf(await agent.client.sendMessage('Count', { skill: 'count' }))).toEqual({ total: 30 });
    const talk = await agent.client.sendMessage('Talk', { skill: 'talk' });
    expect(dataOf(talk)).toBeUndefined();
    expect(textOf(talk)).toBe('{"total":3}');
  });
});
