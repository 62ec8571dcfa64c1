import { tool } from 'ai';
import { A2AServer } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { scriptedModel } from '../llm/support/mock-model.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';
import { samplesOf } from './samples.ts';
import { collectSpans } from './spans.ts';

const spans = collectSpans();

it('calls of models and of their tools have spans in the run, and are counted with their tokens', async () => {
  const model = scriptedModel(
    { calls: [{ id: 'c-1', name: 'weather', input: { city: 'the secret city' } }] },
    { text: ['It is warm.'] },
  );
  const weather = tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: () => ({ celsius: 20 }),
  });
  const agent = llmAgent({ name: 'helper', description: 'Helps', version: '1.0.0', model, tools: { weather } });
  const server = new A2AServer({ agents: [agent], metrics: true });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  await new RpcPeer((request) => fetch(request), `${server.url}/a2a`).send('Hi');
  await eventually(() => spans.some(({ name }) => name === 'invoke_agent helper')).toBe(true);
  const run = spans.find(({ name }) => name === 'invoke_agent helper');
  const chats = spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'chat');
  expect(chats).toHaveLength(2);
  for (const chat of chats) {
    expect(chat).toMatchObject({
      kind: 'client',
      traceId: run?.traceId,
      parentSpanId: run?.spanId,
      attributes: { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5, 'gen_ai.agent.name': 'helper' },
    });
    expect(chat.name).toBe(`chat ${String(chat.attributes['gen_ai.request.model'])}`);
  }
  expect(spans.find(({ name }) => name === 'execute_tool weather')).toMatchObject({
    parentSpanId: run?.spanId,
    attributes: { 'gen_ai.tool.name': 'weather', 'gen_ai.tool.call.id': 'c-1' },
  });
  expect(JSON.stringify(spans)).not.toContain('the secret city');
  const samples = samplesOf(await (await fetch(`${server.url}/metrics`)).text());
  const valueOfSeries = (name: string, type?: string) =>
    samples.find((one) => one.name === name && (type === undefined || one.labels.type === type))?.value;
  expect(valueOfSeries('parley_model_calls_total')).toBe(2);
  expect(valueOfSeries('parley_model_tokens_total', 'input')).toBe(20);
  expect(valueOfSeries('parley_model_tokens_total', 'output')).toBe(10);
  expect(valueOfSeries('parley_tool_call_duration_seconds_count')).toBe(1);
});
