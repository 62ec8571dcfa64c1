import { APICallError, generateObject, generateText, Output, streamText } from 'ai';
import {
  A2AClient,
  A2AError,
  authRequired,
  bytes,
  chunk,
  complete,
  fail,
  type JsonValue,
  json,
  reject,
  type TaskContext,
} from 'parley-a2a';
import { a2aModel } from 'parley-a2a/llm';
import { fakeAgent } from 'parley-a2a/testing';
import type { RunResult } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentOf, gate, hang } from '../support/script.ts';
import { type Served, served } from './support/served.ts';

const prompt = 'Go';

/** Everything of a stream, as its reader sees it. */
async function streamed(kit: Served, more = {}) {
  const errors: unknown[] = [];
  const onError = ({ error }: { readonly error: unknown }) => void errors.push(error);
  const result = streamText({ model: a2aModel(kit.client), prompt, onError, ...more });
  const parts: { readonly type: string }[] = [];
  for await (const part of result.fullStream) parts.push(part);
  return { result, parts, errors };
}

const statesOf = async ({ client }: Served) => (await client.listTasks()).tasks.map(({ status }) => status.state);

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

describe('errors', () => {
  it.for([
    ['fails', () => fail('Out of paper'), 'failed', 'Out of paper'],
    ['rejects', () => Promise.reject(reject('Not my job')), 'rejected', 'Not my job'],
  ] as const)('a task that %s is one, and is not tried again', async ([, run, state, said]) => {
    await using kit = await served(agentOf(run as never));
    const error = await generateText({ model: a2aModel(kit.client), prompt }).then(
      () => expect.fail('It succeeded'),
      (reason) => reason,
    );
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ isRetryable: false, data: { code: 'TASK_NOT_COMPLETED', state } });
    expect(error.message).toContain(said);
    expect(await statesOf(kit)).toEqual([state]);
    const { errors, result, parts } = await streamed(kit);
    expect(errors).toMatchObject([{ name: 'AI_APICallError', data: { state } }]);
    expect([await result.finishReason, await result.rawFinishReason]).toEqual(['error', state]);
    expect(parts.at(-1)?.type).toBe('finish');
  });

  it('text that came before a failure is kept in a stream', async () => {
    await using kit = await served(
      agentOf(async function* () {
        yield 'Half';
        throw new Error('secret');
      }),
    );
    const { result, errors } = await streamed(kit);
    expect(await result.text).toBe('Half');
    expect(String(errors)).not.toContain('secret');
  });

  it('a server that is not there may be asked again', async () => {
    const gone: typeof fetch = async () => {
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    };
    const client = new A2AClient('http://127.0.0.1:1', { fetch: gone, retry: false });
    const error = await a2aModel(client)
      .doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] })
      .then(
        () => expect.fail('It succeeded'),
        (reason) => reason,
      );
    expect(error).toMatchObject({ isRetryable: true, data: { code: 'UNREACHABLE' } });
  });

  it('an overloaded server may be asked again, after the time that it names', async () => {
    const busy = fakeAgent({ responses: ['late'] });
    let refusals = 1;
    const fetchBusy: typeof fetch = (input, init) => {
      if (init?.method === 'POST' && refusals > 0) {
        refusals -= 1;
        return Promise.resolve(new Response('busy', { status: 429, headers: { 'retry-after': '0' } }));
      }
      return busy.fetch(input, init);
    };
    const client = await A2AClient.connect(busy.url, { fetch: fetchBusy, retry: false, reconnect: false });
    const call = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: prompt }] }] };
    const refused = Promise.resolve(a2aModel(client).doStream(call));
    await expect(refused).rejects.toMatchObject({ isRetryable: true, statusCode: 429 });
    refusals = 1;
    expect((await generateText({ model: a2aModel(client), prompt })).text).toBe('late');
  });

  it('what an agent has begun is never sent again', async () => {
    let sends = 0;
    await using kit = await served(agentOf(hang), {
      reconnect: false,
      interceptors: [
        async (call, next) => {
          const result = await next(call);
          if (call.operation !== 'sendStreamingMessage') return result;
          sends += 1;
          return (async function* () {
            for await (const event of result as AsyncIterable<unknown>) {
              yield event;
              throw new A2AError('UNREACHABLE', 'Gone', { cause: { code: 'ECONNREFUSED' } });
            }
          })();
        },
      ],
    });
    const generated = generateText({ model: a2aModel(kit.client), prompt });
    await expect(generated).rejects.toMatchObject({ isRetryable: false });
    const { errors } = await streamed(kit);
    expect(errors).toMatchObject([{ isRetryable: false }]);
    expect(sends).toBe(2);
  });
});

describe('aborting', () => {
  const begun = () => {
    const started = gate();
    const agent = agentOf(async function* (task) {
      yield 'Begun';
      started.resolve();
      await hang(task);
    });
    return { agent, started: started.promise };
  };

  it('generateText cancels the task', async () => {
    const { agent, started } = begun();
    await using kit = await served(agent);
    const abort = new AbortController();
    const running = generateText({ model: a2aModel(kit.client), prompt, abortSignal: abort.signal });
    const ended = expect(running).rejects.toThrow('enough');
    await started;
    abort.abort(new Error('enough'));
    await ended;
    await expect.poll(() => statesOf(kit)).toEqual(['canceled']);
  });

  it('streamText cancels the task, and tells its reader', async () => {
    const { agent } = begun();
    await using kit = await served(agent);
    const abort = new AbortController();
    const types: string[] = [];
    const { fullStream } = streamText({ model: a2aModel(kit.client), prompt, abortSignal: abort.signal });
    for await (const { type } of fullStream) {
      types.push(type);
      if (type === 'text-delta') abort.abort();
    }
    expect(types.at(-1)).toBe('abort');
    await expect.poll(() => statesOf(kit)).toEqual(['canceled']);
  });

  it('leaving the stream cancels the task', async () => {
    const { agent, started } = begun();
    await using kit = await served(agent);
    const { stream } = await a2aModel(kit.client).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    });
    await started;
    await stream.cancel();
    await expect.poll(() => statesOf(kit)).toEqual(['canceled']);
  });

  it('a time that is up cancels the task', async () => {
    const { agent } = begun();
    await using kit = await served(agent);
    const model = a2aModel(kit.client, { timeout: 100 });
    await expect(generateText({ model, prompt })).rejects.toMatchObject({
      data: { code: 'TIMEOUT' },
      isRetryable: false,
    });
    await expect.poll(() => statesOf(kit)).toEqual(['canceled']);
    const { errors, result } = await streamed(kit, { model });
    expect(errors).toMatchObject([{ data: { code: 'TIMEOUT' } }]);
    expect(await result.finishReason).toBe('error');
    await expect.poll(() => statesOf(kit)).toEqual(['canceled', 'canceled']);
  });

  it('sends nothing where the signal was aborted before', async () => {
    await using kit = await served(agentOf(hang));
    const abortSignal = AbortSignal.abort(new Error('before'));
    await expect(generateText({ model: a2aModel(kit.client), prompt, abortSignal })).rejects.toThrow('before');
    expect(await statesOf(kit)).toEqual([]);
  });
});
