import { APICallError, generateText, streamText } from 'ai';
import { A2AClient, A2AError, fail, reject } from 'parley-a2a';
import { a2aModel } from 'parley-a2a/llm';
import { fakeAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { agentOf, gate, hang } from '../support/script.ts';
import { prompt, streamed } from './support/outcomes.ts';
import { type Served, served } from './support/served.ts';

const statesOf = async ({ client }: Served) => (await client.listTasks()).tasks.map(({ status }) => status.state);

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
