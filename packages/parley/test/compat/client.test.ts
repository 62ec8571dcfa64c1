import * as root from 'parley-a2a';
import {
  A2AClient,
  type A2AMessage,
  A2AServer,
  type A2AServerConfig,
  type A2AStreamEvent,
  type CogitatorRunOptions,
  type RunResult,
} from 'parley-a2a/compat';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { serveAsDocumented } from './document-server.ts';

const researcher = { name: 'Researcher', config: { description: 'Finds things' }, tools: [] };
const hello: A2AMessage = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

async function documented(
  run: (options: CogitatorRunOptions) => Promise<RunResult> = async ({ input, onToken }) => {
    onToken('You said ');
    onToken(input);
    return { output: `You said ${input}` };
  },
  more: Partial<A2AServerConfig> = {},
) {
  const log = { error: () => undefined, warn: () => undefined };
  const server = new A2AServer({
    // Runs that a test leaves behind must not hold up its end.
    drainTimeout: 0,
    agents: { researcher },
    cogitator: { run: (_, options) => run(options) },
    cardUrl: 'http://elsewhere.example',
    log,
    ...more,
  });
  onTestFinished(() => server.close());
  return { server, ...(await serveAsDocumented(server)) };
}

async function all(stream: AsyncIterable<A2AStreamEvent>): Promise<A2AStreamEvent[]> {
  const events: A2AStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('A2AClient (S3, Task 10) against a server as documented [seed:S3.6]', () => {
  it('finds the first card of the list at /.well-known/agent.json [seed:S3.10]', async () => {
    const { url, seen } = await documented();
    const card = await new A2AClient(url).agentCard();
    expect(card).toMatchObject({
      name: 'Researcher',
      description: 'Finds things',
      url: `${url}/a2a`,
      version: '0.3',
      capabilities: { streaming: true, pushNotifications: false },
      skills: [],
    });
    expect(seen.map(({ path }) => path)).toEqual(['/.well-known/agent.json']);
  });

  it('sends a message in the spellings of the document, and gets a task', async () => {
    const { url, seen } = await documented();
    const client = new A2AClient(url, { headers: { authorization: 'Bearer s3cret' } });
    const task = await client.sendMessage(hello, {
      historyLength: 5,
      acceptedOutputModes: ['text/plain'],
      timeout: 9000,
    });
    expect(task).toMatchObject({
      status: { state: 'completed' },
      history: [hello, { role: 'agent' }],
      artifacts: [{ parts: [{ type: 'text', text: 'You said Hello' }] }],
    });
    expect(seen.at(-1)).toMatchObject({
      path: '/a2a',
      headers: { authorization: 'Bearer s3cret' },
      body: {
        jsonrpc: '2.0',
        method: 'message/send',
        params: {
          message: hello,
          configuration: { historyLength: 5, acceptedOutputModes: ['text/plain'], blocking: true, timeout: 9000 },
        },
      },
    });
  });

  it('gets a task by its id, with as much of the history as is wanted', async () => {
    const { url, seen } = await documented();
    const client = new A2AClient(url);
    const task = await client.sendMessage(hello);
    expect(await client.getTask(task.id)).toEqual(task);
    await client.getTask(task.id, 1);
    expect(seen.at(-1)?.body).toMatchObject({ method: 'tasks/get', params: { id: task.id, historyLength: 1 } });
  });

  it('cancels a task', async () => {
    const { url } = await documented(() => new Promise(() => undefined));
    const client = new A2AClient(url);
    const { id, status } = await client.sendMessage(hello, { blocking: false });
    expect(status.state).toBe('working');
    expect((await client.cancelTask(id)).status.state).toBe('canceled');
  });

  it('tells of errors that the server sends, and of a network that is not there', async () => {
    const { url } = await documented();
    await expect(new A2AClient(url).getTask('task_123')).rejects.toMatchObject({ code: -32001 });
    const nowhere = new A2AClient('http://127.0.0.1:1', { retry: false });
    await expect(nowhere.sendMessage(hello)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  it('takes other paths', async () => {
    const { url, seen } = await documented();
    const client = new A2AClient(url, { agentCardPath: '/cards.json', rpcPath: '/a2a', timeout: 5000 });
    expect((await client.sendMessage(hello)).status.state).toBe('completed');
    expect(seen.map(({ path }) => path)).toEqual(['/cards.json', '/a2a']);
  });
});

describe('A2AClient, streaming (S3, Task 11) [seed:S3.6]', () => {
  it('gives status and artifact events until the end, and understands [DONE] [seed:S3.10]', async () => {
    const { url, seen } = await documented();
    const events = await all(new A2AClient(url).sendMessageStream(hello));
    expect(events[0]).toMatchObject({ kind: 'status-update', status: { state: 'working' } });
    expect(events.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    const parts = events.flatMap((event) => (event.kind === 'artifact-update' ? event.artifact.parts : []));
    expect(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe('You said Hello');
    expect(seen.at(-1)?.body).toMatchObject({ method: 'message/sendStream', params: { message: hello } });
  });

  it('ends at failed, too', async () => {
    const { url } = await documented(() => Promise.reject(new Error('no')));
    expect((await all(new A2AClient(url).sendMessageStream(hello))).at(-1)).toMatchObject({
      status: { state: 'failed' },
    });
  });

  it('tells of a network that is not there', async () => {
    const nowhere = new A2AClient('http://127.0.0.1:1', { retry: false });
    await expect(all(nowhere.sendMessageStream(hello))).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });
});

describe('the timeout of the document (S3, Task 10) [seed:S3.6]', () => {
  /** Time that passes when a test says so. */
  function heldTime() {
    const timers = new Map<() => void, number>();
    const timing = {
      now: () => 0,
      random: () => 0.5,
      after: (milliseconds: number, callback: () => void) => {
        timers.set(callback, milliseconds);
        return () => void timers.delete(callback);
      },
    };
    return { timers, timing };
  }

  it('is 30 seconds, for a send that waits for its task too', async () => {
    const { url } = await documented(() => new Promise(() => {}));
    const { timers, timing } = heldTime();
    const client = new A2AClient(url, { timing, retry: false });
    await client.agentCard();
    const sending = client.sendMessage(hello);
    await expect.poll(() => [...timers.values()]).toEqual([30_000]);
    for (const [callback] of timers) callback();
    await expect(sending).rejects.toMatchObject({ code: 'TIMEOUT', message: 'No response within 30000 ms' });
  });

  it('is what it is set to', async () => {
    const { url } = await documented(() => new Promise(() => {}));
    const { timers, timing } = heldTime();
    const client = new A2AClient(url, { timing, timeout: 7, retry: false });
    await client.agentCard();
    const sending = client.sendMessage(hello);
    await expect.poll(() => [...timers.values()]).toEqual([7]);
    for (const [callback] of timers) callback();
    await expect(sending).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('asTool (S3, Task 12) [seed:S3.7]', () => {
  it('has the name and description of the card, and gives { output, success }', async () => {
    const { url } = await documented();
    const client = new A2AClient(url);
    await client.agentCard();
    const tool = client.asTool();
    expect([tool.name, tool.description]).toEqual(['Researcher', 'Finds things']);
    expect(tool.parameters).toMatchObject({ properties: { task: { type: 'string' } }, required: ['task'] });
    expect(await tool.execute({ task: 'Hello' })).toEqual({ output: 'You said Hello', success: true });
  });

  it('has the right name before anything else was asked: awaiting the tool fetches the card', async () => {
    const { url, seen } = await documented();
    const tool = await new A2AClient(url).asTool();
    expect([tool.name, tool.description]).toEqual(['Researcher', 'Finds things']);
    expect(tool).not.toHaveProperty('then');
    expect(await tool.execute({ task: 'Hello' })).toEqual({ output: 'You said Hello', success: true });
    expect(seen.filter(({ path }) => path.endsWith('agent.json'))).toHaveLength(1);
  });

  it('fetches the card when it is asked for its name, and has it from then on', async () => {
    const { url, seen } = await documented();
    const tool = new A2AClient(url).asTool();
    expect(tool.name).toBe('agent');
    await expect.poll(() => tool.name).toBe('Researcher');
    expect(tool.description).toBe('Finds things');
    expect(Object.keys(tool)).not.toContain('then');
    expect(seen.map(({ path }) => path)).toEqual(['/.well-known/agent.json']);
  });

  it('keeps its schema when it is awaited, and does without a card', async () => {
    const parameters = z.object({ task: z.string() });
    const tool = await new A2AClient('http://127.0.0.1:1', { retry: false }).asTool({ parameters });
    expect([tool.name, tool.parameters]).toEqual(['agent', parameters]);
    expect(await tool.execute({ task: 'Hello' })).toMatchObject({ success: false });
  });

  it('gives { output, success: false, error } on failure', async () => {
    const { url } = await documented(() => Promise.reject(new Error('no')));
    const output = await new A2AClient(url)
      .asTool({ name: 'research', description: 'Asks' })
      .execute({ task: 'Hello' });
    expect(output).toEqual({ output: '', success: false, error: expect.stringContaining('failed') });
  });

  it('has a schema of Zod where one is given', () => {
    const parameters = z.object({ task: z.string() });
    const tool = new A2AClient('http://127.0.0.1:1').asTool({ name: 'research', parameters });
    expect(tool.parameters).toBe(parameters);
    expect(tool.name).toBe('research');
    expect(tool.description).toBe('Remote A2A agent');
  });
});

describe('the client at the root', () => {
  it('takes the arguments of the document [seed:S3.6]', async () => {
    const { url } = await documented();
    const client = new root.A2AClient(url, {
      headers: { authorization: 'Bearer s3cret' },
      timeout: 30_000,
      agentCardPath: '/.well-known/agent.json',
      rpcPath: '/a2a',
      protocol: 'cogitator',
    });
    expect((await client.agentCard()).name).toBe('Researcher');
    expect(await client.run('Hello')).toBe('You said Hello');
    const answer = await client.sendMessage({ role: 'user', parts: [root.text('Hello')] });
    expect(root.isTask(answer) && (await client.getTask(answer.id, 1)).id).toBe(root.isTask(answer) && answer.id);
  });
});
