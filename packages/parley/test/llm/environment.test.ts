import { llmAgent, modelFromEnvironment } from 'parley-a2a/llm';
import { describe, expect, it, vi } from 'vitest';
import { classify } from '../../src/llm/errors/classify.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

describe('the model of the environment', () => {
  it('is named by PARLEY_MODEL, at any server that speaks the protocol of OpenAI', () => {
    const model = modelFromEnvironment({ PARLEY_MODEL: ' llama ', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(model).toMatchObject({ modelId: 'llama', provider: 'openai-compatible', specificationVersion: 'v4' });
    expect(modelFromEnvironment({ PARLEY_MODEL: 'gpt', OPENAI_API_KEY: 'k' })).toMatchObject({ modelId: 'gpt' });
  });

  it.each([
    [{}, 'PARLEY_MODEL'],
    [{ PARLEY_MODEL: 'gpt' }, 'OPENAI_API_KEY is missing'],
    [{ PARLEY_MODEL: 'gpt', OPENAI_BASE_URL: 'localhost' }, 'OPENAI_BASE_URL must be the address of a server'],
    [{ PARLEY_MODEL: 'gpt', OPENAI_BASE_URL: 'file:///x' }, 'OPENAI_BASE_URL must be the address of a server'],
  ])('is refused with a clear error where it is not whole: %j', (environment, problem) => {
    expect(() => modelFromEnvironment(environment)).toThrow(problem);
  });

  it('is the default of an agent, which says at once that there is none', () => {
    vi.stubEnv('PARLEY_MODEL', '');
    expect(() => llmAgent(ABOUT)).toThrow('PARLEY_MODEL');
    vi.stubEnv('PARLEY_MODEL', 'llama');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1');
    expect(llmAgent(ABOUT)).toMatchObject({ name: 'helper', resumable: true });
    vi.unstubAllEnvs();
  });
});

describe('options of an agent of a language model', () => {
  const model = modelFromEnvironment({ PARLEY_MODEL: 'm', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });

  it.each([
    [{ maxTurns: 0 }, 'maxTurns of agent "helper" must be a whole number from 1'],
    [{ limits: { attempts: 0 } }, 'limits.attempts of agent "helper" must be a whole number from 1'],
    [{ instuctions: 'x' }, 'Agent "helper": there is no option instuctions; did you mean instructions?'],
    [{ settings: { temperatur: 1 } }, 'there is no option settings.temperatur; did you mean settings.temperature?'],
    [{ skills: [{ id: 's', scope: [] }] }, 'there is no option skills[0].scope; did you mean skills[0].scopes?'],
    [{ tools: [] }, 'tools must be an object, not an empty list'],
    [{ limits: { atempts: 1 } }, 'there is no option limits.atempts; did you mean limits.attempts?'],
    [{ name: 'not a name' }, 'part of its address'],
  ])('are checked when it is made: %j', (options, problem) => {
    expect(() => llmAgent({ ...ABOUT, model, ...options } as never)).toThrow(problem);
  });

  it('are not shown where the agent is', () => {
    expect(Object.keys(llmAgent({ ...ABOUT, model, instructions: 'secret', tools: {} }))).not.toContain('instructions');
  });
});

describe('the kind of a failure', () => {
  it.each([
    [{ statusCode: 408 }, 'timeout', true],
    [{ statusCode: 413 }, 'too-long', false],
    [{ statusCode: 400, responseBody: '{"code":"context_length_exceeded"}' }, 'too-long', false],
    [{ statusCode: 403 }, 'credentials', false],
    [{ lastError: { statusCode: 500 } }, 'overloaded', true],
    [{ type: 'rate_limit_error' }, 'rate-limited', true],
    [{ error: { type: 'authentication_error' } }, 'credentials', false],
    [Object.assign(new Error('x'), { name: 'AI_LoadAPIKeyError' }), 'credentials', false],
    [Object.assign(new Error('x'), { cause: { code: 'UND_ERR_SOCKET' } }), 'unreachable', true],
    [new TypeError('terminated'), 'unreachable', true],
    [new TypeError('x is not a function'), 'failed', false],
    ['words', 'failed', false],
    [undefined, 'failed', false],
  ])('is told by what was thrown: %o', (thrown, kind, mayPass) => {
    expect(classify(thrown)).toMatchObject({ kind, mayPass });
  });

  it('has the time that the provider asks to wait, in each of its forms', () => {
    const after = (headers: object) => classify({ statusCode: 429, responseHeaders: headers }).retryAfter;
    expect(after({ 'retry-after': '1.5' })).toBe(1500);
    expect(after({ 'retry-after-ms': '20', 'retry-after': '9' })).toBe(20);
    expect(after({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000);
    expect(after({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBeUndefined();
    expect(after({ 'retry-after': 'soon' })).toBeUndefined();
  });
});
