import { generateText, type LanguageModel, streamText } from 'ai';
import { A2AClient, bytes, json, link, reply } from 'parley-a2a';
import { a2aModel } from 'parley-a2a/llm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { agentOf } from '../support/script.ts';
import { served } from './support/served.ts';

const reporter = agentOf(async function* (task) {
  await task.artifact({ name: 'reasoning' }).end('Let me think');
  for (const word of ['Sales ', 'went ', 'up.']) yield word;
  await task.artifact({ name: 'summary' }).end(`You said: ${task.text}`);
  await task
    .artifact({ name: 'files' })
    .end([
      bytes('a,b\n', { mediaType: 'text/csv', filename: 'figures.csv' }),
      json({ growth: 0.25 }),
      link('https://files.example/report.pdf', { mediaType: 'application/pdf', filename: 'report.pdf' }),
    ]);
});

describe('a2aModel (S0.17)', () => {
  it('is a language model of the AI SDK', async () => {
    await using kit = await served(reporter);
    const model = a2aModel(kit.client);
    expectTypeOf(model).toExtend<LanguageModel>();
    expect(model).toMatchObject({ specificationVersion: 'v4', provider: 'a2a', modelId: 'test' });
    expect(a2aModel(kit.client, { modelId: 'mine' }).modelId).toBe('mine');
  });

  it('answers generateText with text, reasoning, files, sources and ids', async () => {
    await using kit = await served(reporter);
    const result = await generateText({ model: a2aModel(kit.client), prompt: 'Report' });
    expect(result.text).toBe('Sales went up.\n\nYou said: Report');
    expect(result.reasoningText).toBe('Let me think');
    expect(result.files.map(({ mediaType, uint8Array }) => [mediaType, new TextDecoder().decode(uint8Array)])).toEqual([
      ['text/csv', 'a,b\n'],
      ['application/json', '{"growth":0.25}'],
    ]);
    expect(result.sources).toMatchObject([{ url: 'https://files.example/report.pdf', title: 'report.pdf' }]);
    expect([result.finishReason, result.rawFinishReason]).toEqual(['stop', 'completed']);
    const [task] = (await kit.client.listTasks()).tasks;
    expect(result.providerMetadata?.a2a).toEqual({
      taskId: task?.id,
      contextId: task?.contextId,
      state: 'completed',
    });
    expect(result.response).toMatchObject({ id: task?.id, modelId: 'test' });
    expect(result.warnings ?? []).toEqual([]);
  });

  it('answers streamText in chunks, with the same result', async () => {
    await using kit = await served(reporter);
    const result = streamText({ model: a2aModel(kit.client), prompt: 'Report' });
    const chunks: string[] = [];
    for await (const chunk of result.textStream) chunks.push(chunk);
    expect(chunks.join('')).toBe('Sales went up.\n\nYou said: Report');
    expect(chunks.length).toBeGreaterThan(1);
    expect(await result.reasoningText).toBe('Let me think');
    expect((await result.files).map(({ mediaType }) => mediaType)).toEqual(['text/csv', 'application/json']);
    expect((await result.sources).map((source) => source.title)).toEqual(['report.pdf']);
    expect(await result.finishReason).toBe('stop');
    const [task] = (await kit.client.listTasks()).tasks;
    expect((await result.providerMetadata)?.a2a).toMatchObject({ taskId: task?.id, contextId: task?.contextId });
    expect((await result.response).id).toBe(task?.id);
  });

  it.for([
    ['0.3', { protocol: '0.3' }],
    ['HTTP+JSON', { prefer: { binding: 'HTTP+JSON' } }],
  ] as const)('does so over %s', async ([, options]) => {
    await using kit = await served(reporter, options);
    const { text } = await generateText({ model: a2aModel(kit.client), prompt: 'Report' });
    expect(text).toBe('Sales went up.\n\nYou said: Report');
    const stream = streamText({ model: a2aModel(kit.client), prompt: 'Report' });
    expect([await stream.text, await stream.reasoningText]).toEqual([text, 'Let me think']);
  });

  it('answers for an agent that does not stream, and for one whose tasks have no times', async () => {
    const task = { id: 't', contextId: 'c', kind: 'task', status: { state: 'completed' }, artifacts: [] };
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Done' }] }];
    const send: typeof fetch = async (_, init) => {
      const { id } = JSON.parse(init?.body as string);
      return Response.json({ jsonrpc: '2.0', id, result: { ...task, artifacts } });
    };
    const card = { name: 'Old', url: 'http://old.test', protocolVersion: '0.3.0', capabilities: { streaming: false } };
    const model = a2aModel(new A2AClient(card, { fetch: send }));
    const result = await generateText({ model, prompt: 'Report' });
    expect([result.text, result.response.timestamp.getTime()]).toEqual(['Done', expect.any(Number)]);
    expect(result.response.timestamp.getTime()).not.toBeNaN();
    expect(await streamText({ model, prompt: 'Report' }).text).toBe('Done');
  });

  it('answers with a message where the agent replies without a task', async () => {
    await using kit = await served(agentOf((task) => reply(`Hi, ${task.text}`)));
    const model = a2aModel(kit.client);
    const result = await generateText({ model, prompt: 'Ann' });
    expect([result.text, result.rawFinishReason]).toEqual(['Hi, Ann', 'message']);
    expect(await streamText({ model, prompt: 'Bob' }).text).toBe('Hi, Bob');
  });
});
