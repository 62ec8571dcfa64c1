import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText, tool } from 'ai';
import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { CUT, callTools, type ModelScript, openaiServer, think, tokensOf } from '../support/openai/openai-server.ts';

async function serve(script: ModelScript, options = {}) {
  const server = await openaiServer(script, options);
  onTestFinished(() => server.close());
  return server;
}

const TOOLS = callTools([
  { id: 'c1', name: 'add', input: { a: 1, b: 2 } },
  { id: 'c2', name: 'add', input: { a: 30, b: 40 } },
]);

it('is understood by the openai package: tokens, calls in pieces, usage, whole answers, errors', async () => {
  const server = await serve([
    [...tokensOf('Hello there, you'), { usage: { prompt: 7, completion: 3 } }],
    TOOLS,
    ['not ', 'streamed'],
    { status: 429, error: { message: 'Slow down', code: 'rate_limit_exceeded' }, headers: { 'retry-after': '2' } },
  ]);
  const client = new OpenAI({ baseURL: server.url, apiKey: 'key', maxRetries: 0 });
  const request = { model: 'm-1', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const first = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
  const whole = await first.finalChatCompletion();
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello there, you' } });
  expect(whole.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  const second = await client.chat.completions.stream(request).finalChatCompletion();
  expect(second.choices[0]?.finish_reason).toBe('tool_calls');
  expect(second.choices[0]?.message.tool_calls).toMatchObject([
    { id: 'c1', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
    { id: 'c2', function: { name: 'add', arguments: '{"a":30,"b":40}' } },
  ]);
  const third = await client.chat.completions.create(request);
  expect(third.choices[0]?.message.content).toBe('not streamed');
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({
    status: 429,
    code: 'rate_limit_exceeded',
  });
  expect(server.requests.map(({ body }) => body.messages)).toEqual(new Array(4).fill(request.messages));
  await expect(client.chat.completions.create(request)).rejects.toThrow('one more');
});

it('is understood by the AI SDK: tokens, thoughts, calls, usage', async () => {
  const server = await serve([[think('Hm'), 'a', 'b', ...TOOLS]], { apiKey: 'secret' });
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: server.url,
    apiKey: 'secret',
    includeUsage: true,
  });
  const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }) });
  const result = streamText({ model: provider('m-1'), prompt: 'Hi', tools: { add } });
  expect(await result.text).toBe('ab');
  expect(await result.reasoningText).toBe('Hm');
  expect((await result.toolCalls).map(({ input }) => input)).toEqual([
    { a: 1, b: 2 },
    { a: 30, b: 40 },
  ]);
  expect(await result.usage).toMatchObject({ inputTokens: 1, outputTokens: 3 + TOOLS.length });
  expect(await server.requests[0]?.ended).toBe('whole');
});

it('tells a client that left from a response that it cut, and refuses what it does not know', async () => {
  const server = await serve(
    ({ number }) =>
      number === 1
        ? ['a', CUT, 'never']
        : (async function* () {
            yield 'a';
            await new Promise(() => {});
          })(),
    { apiKey: 'secret', requests: 2 },
  );
  const post = (path: string, body: string, key = 'secret', signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      ...(signal && { signal }),
    });
  const body = JSON.stringify({ model: 'm', messages: [], stream: true });
  const cut = await post('/chat/completions', body);
  await expect(cut.text()).rejects.toThrow();
  expect(await server.requests[0]?.ended).toBe('cut');
  const leaving = new AbortController();
  await post('/chat/completions', body, 'secret', leaving.signal);
  leaving.abort();
  expect(await (await server.whenRequests(2)).ended).toBe('left');
  expect((await post('/chat/completions', body)).status).toBe(400);
  expect((await post('/chat/completions', body, 'other')).status).toBe(401);
  expect((await post('/chat/completions', '{')).status).toBe(400);
  expect((await post('/chat/completions', `"${'x'.repeat(4_000_001)}"`)).status).toBe(413);
  const unknown = await post('/else', body);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }]);
});
