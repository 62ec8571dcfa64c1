import type { Agent } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  callTool,
  type ModelRequest,
  type OpenAIServer,
  openaiServer,
  type Reply,
} from '../support/openai/openai-server.ts';
import { gate } from '../support/script.ts';
import { callRecipe } from './support/recipes.ts';

/** Each of them is a module whose default export is an agent, and reads where its model is from the environment. */
const RECIPES = ['ai-sdk', 'openai', 'mastra'] as const;

let server: OpenAIServer;
let answer: (request: ModelRequest) => Reply | Promise<Reply>;

beforeAll(async () => {
  server = await openaiServer((request) => answer(request));
  vi.stubEnv('OPENAI_BASE_URL', server.url);
  vi.stubEnv('OPENAI_API_KEY', 'sk-none');
  vi.stubEnv('PARLEY_MODEL', 'local');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

async function load(name: string): Promise<Agent> {
  const { default: agent } = await import(`../../../../examples/recipes/${name}.ts`);
  return agent;
}

describe.for(RECIPES)('the recipe %s', (name) => {
  it('streams what the model says, and runs its tools (S0.17)', async () => {
    answer = ({ body }) => {
      const last = body.messages.at(-1);
      if (last?.role === 'tool') return ['It is: ', JSON.stringify(last.content), '.'];
      return callTool('weather', { city: 'Rome' });
    };
    const { text, state, chunks } = await callRecipe(await load(name), 'How is the weather in Rome?');
    expect(text).toMatch(/^It is: .*21 °C and sunny in Rome.*\.$/);
    expect(chunks.length).toBeGreaterThan(1);
    expect(state).toBe('completed');
  });

  it('fails where the model does', async () => {
    answer = () => ({ status: 400, error: { message: 'No such model' } });
    // Some libraries tell the console, too.
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => told.mockRestore());
    const { state } = await callRecipe(await load(name), 'Hello?');
    expect(state).toBe('failed');
  });

  it('stops the model when its task is canceled', async () => {
    const left = gate();
    answer = async function* (request: ModelRequest) {
      request.left.addEventListener('abort', () => left.resolve());
      yield 'One ';
      await left.promise;
    } as never;
    await using kit = testAgent(await load(name));
    const stream = kit.client.sendMessageStream('Count');
    for await (const text of stream.textStream) if (text !== '') break;
    expect((await kit.client.cancelTask(await stream.id)).status.state).toBe('canceled');
    await left.promise;
  });
});
