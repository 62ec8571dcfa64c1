import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { testAgent } from 'parley-a2a/testing';
import { createAgent } from '../src/agent.ts';

type Response = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Response['stream'] extends ReadableStream<infer Chunk> ? Chunk : never;

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

function responseOf(reason: 'tool-calls' | 'stop', ...parts: readonly Part[]): Response {
  const chunks: Part[] = [...parts, { type: 'finish', usage, finishReason: { unified: reason, raw: reason } }];
  return { stream: simulateReadableStream({ chunks }) };
}

// A model that calls the tool first, and then answers.
const model = new MockLanguageModelV4({
  doStream: [
    responseOf('tool-calls', {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'clock',
      input: '{"timeZone":"Europe/Berlin"}',
    }),
    responseOf(
      'stop',
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'It is ' },
      { type: 'text-delta', id: 't', delta: 'late.' },
      { type: 'text-end', id: 't' },
    ),
  ],
});
const kit = testAgent(createAgent({ model }));
after(() => kit.close());

test('asks the clock, and answers', async () => {
  assert.equal(await kit.client.run('What time is it in Berlin?'), 'It is late.');
  const [, second] = model.doStreamCalls;
  assert.equal(model.doStreamCalls.length, 2);
  assert.match(JSON.stringify(second?.prompt), /tool-result/);
});
