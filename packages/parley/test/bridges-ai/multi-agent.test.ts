import { type A2AClient, bytes, json, type TaskContext } from 'parley-a2a';
import type { RunResult } from 'parley-a2a/types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  callTool,
  type ModelRequest,
  type OpenAIServer,
  openaiServer,
  type Reply,
} from '../support/openai/openai-server.ts';
import { agentOf, gate, hang } from '../support/script.ts';
import { served } from './support/served.ts';

/** The recipe's writer behind a socket, its analyst behind another, and its model behind a third. */
const stack = new AsyncDisposableStack();
let client: A2AClient;
let model: OpenAIServer;
/** What the analyst does, and what the model says. */
let analyse: (task: TaskContext) => RunResult;
let script: (request: ModelRequest) => Reply;

beforeAll(async () => {
  model = await openaiServer((request) => script(request));
  stack.defer(() => model.close());
  const analyst = agentOf((task) => analyse(task), { name: 'analyst', description: 'Knows the figures' });
  const { url } = stack.use(await served(analyst));
  const environment = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-none',
    PARLEY_MODEL: 'local',
    ANALYST_URL: url,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // What it reads from the environment it reads now.
  const { default: writer } = await import('../../../../examples/recipes/multi-agent.ts');
  client = stack.use(await served(writer)).client;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stack.disposeAsync();
});

const heard = ({ body }: ModelRequest) => body.messages.findLast(({ role }) => role === 'tool')?.content;

describe('an agent that uses an agent on another server (S0.17)', () => {
  it('hears its text, data and files', async () => {
    analyse = async (task) => {
      const parts = [json({ growth: 0.25 }), bytes('a,b\n', { mediaType: 'text/csv' })];
      await task.artifact({ name: 'figures' }).end(parts);
      return `Sales of ${task.text} went up.`;
    };
    script = (request) => {
      const result = heard(request);
      return result === undefined ? callTool('analyst', { task: 'Q4' }) : [`I heard: ${JSON.stringify(result)}`];
    };
    const text = await client.run('How was Q4?');
    expect(text).toContain('Sales of Q4 went up.');
    expect(text).toContain('growth');
    expect(text).toContain('a,b');
    // The model was told what the card says.
    expect(JSON.stringify(model.requests[0]?.body.tools)).toContain('Knows the figures');
  });

  it('cancels what the other does for it when its own task is canceled', async () => {
    const started = gate();
    const stopped = gate();
    analyse = async (task) => {
      task.onCancel(() => stopped.resolve());
      started.resolve();
      await hang(task);
    };
    script = () => callTool('analyst', { task: 'Q4' });
    const stream = client.sendMessageStream('How was Q4?');
    const id = await stream.id;
    await started.promise;
    expect((await client.cancelTask(id)).status.state).toBe('canceled');
    await stopped.promise;
  });

  it('goes on where the other fails', async () => {
    analyse = () => Promise.reject(new Error('secret'));
    script = (request) => {
      return heard(request) === undefined ? callTool('analyst', { task: 'Q4' }) : ['No figures today.'];
    };
    expect(await client.run('How was Q4?')).toBe('No figures today.');
    const told = String(heard(model.requests.at(-1) as ModelRequest));
    expect(told).toContain('failed');
    expect(told).not.toContain('secret');
  });
});
