import { inspect } from 'node:util';
import {
  callerTool,
  type InputQuestion,
  inputRequired,
  type JsonObject,
  json,
  type StreamEvent,
  type TaskContext,
  text,
  textOf,
} from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../client/support/recorded.ts';
import { matrix } from '../../interop/support/rows.ts';
import { startServer } from '../../support/rpc.ts';
import { anyNumber, order } from '../../support/schemas/small-schemas.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

/** Asks in the middle of its work. */
const shop = agentOf(async function* (task: TaskContext) {
  yield 'Order: ';
  const { item, count } = await task.ask({ prompt: 'What, and how many?', schema: order });
  yield `${count} ${item}, `;
  const size = await task.ask({ prompt: 'Which size?', choices: ['small', 'large'] });
  yield size;
});

const calculator = agentOf(async function* (task: TaskContext) {
  yield 'Sum: ';
  const sum = await task.tool('add', { item: 'x', count: 3 }, { schema: anyNumber });
  yield `${sum}`;
});

const answers = (question: InputQuestion) =>
  question.choices ? (question.choices[1]?.value ?? '') : { item: 'tea', count: 2 };

const add = callerTool({
  description: 'Adds one',
  parameters: order,
  execute: ({ count }) => count + 1,
});

matrix(({ version, binding }) => {
  const prefer = { version, binding };

  it('answers in the middle of a stream, which goes on', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server, { prefer, onInput: answers });
    const stream = agent.sendMessageStream('go');
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.filter(({ kind }) => kind === 'task')).toHaveLength(1);
    const states = events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : []));
    expect(states).toEqual(['working', 'input-required', 'working', 'input-required', 'working', 'completed']);
    const task = await stream.task;
    expect(textOf(task)).toBe('Order: 2 tea, large');
    expect(task).toEqual(await agent.getTask(task.id));
    expect(stream.id).toBe(task.id);
  });

  it('answers in all the ways of sending', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server, { prefer });
    expect(await agent.run('go', { onInput: answers })).toBe('Order: 2 tea, large');
    expect(textOf(await agent.sendMessage('go', { onInput: answers }))).toBe('Order: 2 tea, large');
    const pieces: string[] = [];
    for await (const piece of agent.sendMessageStream('go', { onInput: answers }).textStream) pieces.push(piece);
    expect(pieces.join('')).toBe('Order: 2 tea, large');
  });

  it('answers a task that it subscribes to', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server, { prefer });
    const first = await agent.sendMessageStream('go').task;
    expect(first.status.state).toBe('input-required');
    const task = await agent.subscribe(first.id, { onInput: answers }).task;
    expect([task.status.state, textOf(task)]).toEqual(['completed', 'Order: 2 tea, large']);
    const { artifacts, status } = await agent.getTask(task.id);
    expect([task.artifacts, task.status]).toEqual([artifacts, status]);
  });

  it('runs tools', async () => {
    const { server } = startServer(calculator);
    const { agent } = await clientOf(server, { prefer, tools: { add } });
    expect(await agent.run('go')).toBe('Sum: 4');
    expect(textOf(await agent.sendMessage('go'))).toBe('Sum: 4');
    expect(textOf(await agent.sendMessageStream('go').task)).toBe('Sum: 4');
  });

  it('tells the agent what went wrong in a tool', async () => {
    const telling = agentOf(async (task) => {
      const problem = (error: Error) => error.message;
      const one = await task.tool<string>('breaks').catch(problem);
      return `${one} | ${await task.tool<string>('add', { count: 1 }).catch(problem)}`;
    });
    const tools = {
      add,
      breaks: {
        description: 'Breaks',
        execute() {
          throw new Error('broken');
        },
      },
    };
    const { agent } = await clientOf(startServer(telling).server, { prefer, tools });
    expect(await agent.run('go')).toBe(
      'The tool "breaks" failed: broken | The tool "add" failed: The arguments do not fit: args.item: expected a text',
    );
  });

  it('ends at the question where nobody answers', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server, { prefer, tools: { add }, onInput: () => undefined });
    const task = await agent.sendMessageStream('go').task;
    expect([task.status.state, textOf(task)]).toEqual(['input-required', 'Order: ']);
    await expect(agent.run('go')).rejects.toMatchObject({ code: 'TASK_NOT_COMPLETED' });
  });
});

describe('a client that answers', () => {
  it('is told all that is known of the question', async () => {
    const { server } = startServer(
      agentOf(async (task) => {
        const question = { prompt: 'How many?', schema: anyNumber, timeout: 60_000, sensitive: true } as const;
        return String(await task.ask(question));
      }),
    );
    const seen: InputQuestion[] = [];
    const { agent } = await clientOf(server, {
      onInput(question) {
        seen.push(question);
        return question.problem ? 5 : 'five';
      },
    });
    expect(await agent.run('go')).toBe('5');
    expect(seen[0]).toMatchObject({
      prompt: 'How many?',
      text: 'How many?',
      schema: { type: 'number' },
      sensitive: true,
      timeoutSeconds: 60,
      problem: undefined,
    });
    expect(seen[1]?.problem).toBe('it does not have the expected form');
  });

  it('answers questions that end a turn, and declares its tools anew', async () => {
    const { server } = startServer(
      agentOf((task) =>
        task.history.length === 0 ? inputRequired('Who?') : `${task.text} with ${task.tools[0]?.name}`,
      ),
    );
    const { agent } = await clientOf(server, { tools: { add }, onInput: () => 'Ann' });
    expect(await agent.run('go')).toBe('Ann with add');
  });

  it('may send a message of its own', async () => {
    const { server } = startServer(agentOf(async (task) => task.ask('Which file?')));
    const { agent } = await clientOf(server, { onInput: () => ({ parts: ['this ', 'one'] }) });
    expect(await agent.run('go')).toBe('this one');
  });

  it('is asked about a tool that it does not have', async () => {
    const { server } = startServer(calculator);
    const { agent } = await clientOf(server, {
      tools: { add },
      onInput: ({ tool }) => (tool?.name === 'add' ? 9 : undefined),
    });
    // Declared by hand, and there is nothing behind it.
    const metadata = { 'urn:parley:ext:tools:v1': { tools: [{ name: 'add', description: '' }] } };
    const { agent: other } = await clientOf(server, { onInput: ({ tool }) => (tool?.name === 'add' ? 9 : undefined) });
    expect(await other.run('go', { metadata })).toBe('Sum: 9');
    expect(await agent.run('go')).toBe('Sum: 4');
  });

  it('throws what its own function throws', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server, {
      onInput() {
        throw new RangeError('mine');
      },
    });
    await expect(agent.run('go')).rejects.toThrow(RangeError);
    await expect(agent.sendMessage('go')).rejects.toThrow(RangeError);
  });

  it('stops waiting when the stream is left', async () => {
    const { server } = startServer(shop);
    const asked = gate<InputQuestion>();
    const { agent } = await clientOf(server, {
      onInput(question) {
        asked.resolve(question);
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const ended = agent.sendMessageStream('go', { signal: controller.signal }).task.catch((error) => error);
    const { signal, taskId } = await asked.promise;
    controller.abort(new Error('enough'));
    expect(signal.aborted).toBe(true);
    expect((await agent.getTask(taskId)).status.state).toBe('input-required');
    expect(await ended).toMatchObject({ message: 'enough' });
  });

  it('works through all the questions that an agent passes on', async () => {
    const { server } = startServer(shop);
    const { agent } = await clientOf(server);
    const parent = startServer(
      agentOf(async (task) => {
        const stream = task.call(agent, 'go', {
          onInput: ({ prompt, choices }) => (choices ? task.ask({ prompt, choices }) : { item: 'tea', count: 1 }),
        });
        return textOf(await stream.task);
      }),
    );
    const { agent: outer } = await clientOf(parent.server, { onInput: () => 'large' });
    expect(await outer.run('go')).toBe('Order: 1 tea, large');
  });
});

describe('the older shape of questions (S0.7)', () => {
  const prompt = (part: JsonObject | undefined, metadata: JsonObject = {}) =>
    inputRequired({ parts: [text('Please'), ...(part ? [json(part)] : [])], metadata });

  it('is answered with the result of a tool that refers to the task', async () => {
    const inputRequest = { kind: 'input-request', prompt: 'Enter API key:', sensitive: true, requestId: 'input-1' };
    const { server } = startServer(
      agentOf((task) => {
        if (task.history.length === 0) return prompt(undefined, { inputRequest });
        return json({ parts: task.parts, references: task.message.referenceTaskIds ?? [] } as unknown as JsonObject);
      }),
    );
    const seen: InputQuestion[] = [];
    const { agent } = await clientOf(server, {
      onInput(question) {
        seen.push(question);
        return 'secret-key-123';
      },
    });
    const task = await agent.sendMessageStream('go').task;
    expect(seen).toMatchObject([{ id: 'input-1', prompt: 'Enter API key:', sensitive: true }]);
    expect(task.artifacts[0]?.parts[0]).toMatchObject({
      data: {
        parts: [
          { kind: 'text', text: 'Here is the requested input:' },
          { data: { kind: 'tool-result', toolUseId: 'input-1', result: { value: 'secret-key-123' } } },
        ],
        references: [task.id],
      },
    });
    expect(JSON.stringify(task.history)).not.toContain('secret-key-123');
  });

  it('may ask for a tool', async () => {
    const use = { kind: 'tool-use', id: 'use-1', name: 'add', input: { item: 'x', count: 6 } };
    const { server } = startServer(agentOf((task) => (task.history.length === 0 ? prompt(use) : [...task.parts])));
    const { agent } = await clientOf(server, { tools: { add } });
    const task = await agent.sendMessageStream('go').task;
    expect(task.artifacts[0]?.parts).toMatchObject([{ data: { kind: 'tool-result', toolUseId: 'use-1', result: 7 } }]);
  });
});

describe('a secret', () => {
  it('is in no error and in no task that the client shows', async () => {
    const { server } = startServer(
      agentOf(async (task) => {
        await task.ask({ prompt: 'PIN?', sensitive: true });
        throw new Error('later');
      }),
    );
    const { agent } = await clientOf(server, { onInput: () => 'hunter2' });
    for (const failing of [agent.run('go'), agent.sendMessage('go'), agent.sendMessageStream('go').task]) {
      const shown = await failing.catch((error: unknown) => error);
      expect(inspect(shown, { depth: Number.POSITIVE_INFINITY })).toContain('failed');
      expect(inspect(shown, { depth: Number.POSITIVE_INFINITY })).not.toContain('hunter2');
    }
    const events: StreamEvent[] = [];
    for await (const event of agent.sendMessageStream('go')) events.push(event);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('is in no error of a stream that breaks', async () => {
    const { server } = startServer(
      agentOf(async (task) => {
        await task.ask({ prompt: 'PIN?', sensitive: true });
        await hang(task);
      }),
    );
    let isDown = false;
    /** Breaks off behind the first frames that follow the secret, and is not there any more. */
    const send: typeof fetch = async (input, init) => {
      if (isDown) throw new TypeError('fetch failed');
      const request = new Request(input, init);
      const hasSecret = (await request.clone().text()).includes('hunter2');
      const response = await server.fetch(request);
      if (!hasSecret || !response.body) return response;
      isDown = true;
      const reader = response.body.getReader();
      const { value } = await reader.read();
      void reader.cancel();
      return new Response(value ?? null, { status: response.status, headers: response.headers });
    };
    const { agent } = await clientOf(server, {
      fetch: send,
      onInput: () => 'hunter2',
      reconnect: { attempts: 1, firstDelay: 1, longestDelay: 1 },
    });
    const error = await agent.sendMessageStream('go').task.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', task: { history: expect.any(Array) } });
    const shown = inspect(error, { depth: Number.POSITIVE_INFINITY });
    expect(shown).toContain('(not shown)');
    expect(shown).not.toContain('hunter2');
  });
});
