import { APICallError } from 'ai';
import { textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { scriptedModel, type Turn } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };
const SECRET = 'sk-very-secret';

function providerError(statusCode: number, responseHeaders: Record<string, string> = {}): APICallError {
  const requestBodyValues = { key: SECRET };
  const message = `refused for ${SECRET}`;
  return new APICallError({ message, url: 'https://models.test/v1', requestBodyValues, statusCode, responseHeaders });
}

const throws =
  (error: unknown): Turn =>
  () =>
    Promise.reject(error as Error);

const NETWORK = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
});

describe('errors of the provider', () => {
  const DONE: Turn = { text: ['Fine.'] };

  it.each([
    ['429', throws(providerError(429))],
    ['503', throws(providerError(503))],
    ['no connection', throws(NETWORK)],
    ['an error in the stream', { text: ['Half'], error: { type: 'overloaded_error', message: 'Overloaded' } }],
    ['a response that ends in the middle', { text: ['Half'], isCut: true }],
  ] as [string, Turn][])('that may pass are tried again, and what was written is taken back: %s', async (_, turn) => {
    const model = scriptedModel({ text: ['First.'], calls: [{ id: 'c', name: 'gone', input: {} }] }, turn, turn, DONE);
    await using agent = testAgent(llmAgent({ ...ABOUT, model, limits: { firstDelay: 0 } }));
    const stream = agent.client.sendMessageStream('Go');
    const task = await stream.task;
    expect(task.status.state).toBe('completed');
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([[{ kind: 'text', text: 'First.\n\nFine.' }]]);
    expect(task.metadata?.usage).toMatchObject({ modelCalls: 2 });
    expect(model.prompts).toHaveLength(4);
    expect(agent.logged.map(({ message }) => message)).toEqual(Array(2).fill('A model call failed and is tried again'));
  });

  it.each([
    [401, 'credentials', "The model's provider refused the credentials of this agent"],
    [404, 'no-such-model', "The model's provider does not have the model of this agent"],
    [400, 'refused', "The model's provider refused the request"],
  ])('that will not pass fail the task at once, in words without secrets: %i', async (status, reason, sentence) => {
    const model = scriptedModel(throws(providerError(status)));
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const task = await agent.client.sendMessage('Go');
    expect(task).toMatchObject({ status: { state: 'failed', message: { metadata: { reason } } } });
    expect(textOf(task)).toBe(sentence);
    expect(JSON.stringify(task)).not.toContain(SECRET);
    expect(model.prompts).toHaveLength(1);
  });

  it('end the task after limits.attempts, with what there was of the answer', async () => {
    const model = scriptedModel({ text: ['Half'], error: providerError(429) });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, limits: { firstDelay: 0, attempts: 2 } }));
    const task = await agent.client.sendMessage('Go');
    expect(task).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'rate-limited' } } },
      artifacts: [{ parts: [{ text: 'Half' }] }],
    });
    expect(model.prompts).toHaveLength(2);
  });

  it('wait as long as Retry-After says, within limits.longestDelay', async () => {
    const model = scriptedModel(
      throws(providerError(429, { 'retry-after': '30' })),
      throws(providerError(529, { 'retry-after-ms': '900000' })),
      { text: ['Fine.'] },
    );
    const agentOf = llmAgent({ ...ABOUT, model, limits: { longestDelay: 40_000 } });
    await using agent = testAgent(agentOf, { frozen: true });
    const task = agent.client.sendMessageStream('Go').task;
    await expect.poll(() => agent.logged.length).toBe(1);
    await agent.advance(29_999);
    expect(model.prompts).toHaveLength(1);
    await agent.advance(1);
    await expect.poll(() => agent.logged.length).toBe(2);
    await agent.advance(39_999);
    expect(model.prompts).toHaveLength(2);
    await agent.advance(1);
    expect(textOf(await task)).toBe('Fine.');
  });

  it('that the provider filters, or that never end, fail with reasons of their own', async () => {
    const filtered = scriptedModel({ text: ['I '], finish: 'content-filter' });
    await using first = testAgent(llmAgent({ ...ABOUT, model: filtered }));
    expect(await first.client.sendMessage('Go')).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'content-filter' } } },
      metadata: { finishReason: 'content-filter' },
    });
    const flooding = scriptedModel({ text: Array(20).fill('x'.repeat(10)) });
    await using second = testAgent(llmAgent({ ...ABOUT, model: flooding, limits: { responseLength: 100 } }));
    expect(await second.client.sendMessage('Go')).toMatchObject({
      status: { state: 'failed', message: { metadata: { reason: 'too-long' } } },
    });
    expect(flooding.prompts).toHaveLength(1);
  });
});

describe('a model call', () => {
  it('is aborted when the task is canceled', async () => {
    const aborted = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const model = scriptedModel((call) => {
      call.abortSignal?.addEventListener('abort', () => aborted.resolve());
      asked.resolve();
      return { text: ['Half'], hang: () => new Promise<never>(() => {}) };
    });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const stream = agent.client.sendMessageStream('Go');
    const ended = stream.task;
    await asked.promise;
    await stream.cancel();
    await aborted.promise;
    expect((await ended).status.state).toBe('canceled');
    expect(model.prompts).toHaveLength(1);
  });

  it('is aborted when the time of the run is over', async () => {
    const aborted = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const model = scriptedModel((call) => {
      call.abortSignal?.addEventListener('abort', () => aborted.resolve());
      asked.resolve();
      return new Promise(() => {});
    });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }), { frozen: true });
    const task = agent.client.sendMessageStream('Go').task;
    await asked.promise;
    await agent.advance(3_600_000);
    await aborted.promise;
    expect((await task).status.state).toBe('failed');
  });
});
