import { describe, expect, it } from 'vitest';
import { bridgeTo, GENERATIONS, type Person } from './support/bridge.ts';
import { placesOf } from './support/served.ts';

describe.for(GENERATIONS)('questions of agents to a client of %s', (generation) => {
  const { places, server } = placesOf();
  const bridge = bridgeTo(places);
  const asked: Readonly<Record<string, unknown>>[] = [];
  const answering =
    (...answers: ReturnType<Person>[]): Person =>
    (params) => {
      asked.push(params);
      return answers.shift() ?? { action: 'cancel' };
    };
  const ask = async (message: string, person?: Person) => {
    asked.length = 0;
    const caller = await bridge.connect(generation, person);
    const result = await caller.callTool('asker', { message });
    await caller.close();
    return result;
  };
  const textsOf = ({ content }: Awaited<ReturnType<typeof ask>>) =>
    content.map((block) => (block.type === 'text' ? block.text : block.type));

  it('are forms with one text', async () => {
    const result = await ask('hi', answering({ action: 'accept', content: { answer: 'Ann' } }));
    expect(textsOf(result)[0]).toBe('Hello, Ann');
    expect(asked).toMatchObject([
      { message: 'What is your name?', requestedSchema: { properties: { answer: { type: 'string' } } } },
    ]);
  });

  it('do not let progress count anew', async () => {
    const caller = await bridge.connect(generation, answering({ action: 'accept', content: { answer: 'Ann' } }));
    const seen: number[] = [];
    await caller.callTool(
      'asker',
      { message: 'hi' },
      { onprogress: (one) => seen.push((one as { progress: number }).progress) },
    );
    await caller.close();
    expect(seen.length).toBeGreaterThan(0);
    // A client that comes back with the answer in a request of its own has a token of its own.
    if (generation === '2025-11-25') expect(seen).toEqual(seen.map((_, index) => index + 1));
  });

  it('are forms with choices', async () => {
    const result = await ask('choices', answering({ action: 'accept', content: { answer: 'l' } }));
    expect(textsOf(result)[0]).toBe('l');
    expect(asked[0]).toMatchObject({
      message: 'Which size?',
      requestedSchema: {
        properties: {
          answer: {
            oneOf: [
              { const: 'small', title: 'small' },
              { const: 'l', title: 'Large' },
            ],
          },
        },
      },
    });
  });

  it('are forms by their schemas', async () => {
    const result = await ask('form', answering({ action: 'accept', content: { item: 'tea', count: 2 } }));
    expect(textsOf(result)[0]).toBe('{"item":"tea","count":2}');
    expect(asked[0]).toMatchObject({
      requestedSchema: {
        properties: { item: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
        required: ['item', 'count'],
      },
    });
  });

  it('come again with the problem where an answer does not fit', async () => {
    const wrong = { action: 'accept', content: { answer: 'huge' } } as const;
    const result = await ask('loose', answering(wrong, { action: 'accept', content: { answer: '7' } }));
    expect(textsOf(result)[0]).toBe('7');
    expect(asked).toHaveLength(2);
    expect(String(asked[1]?.message)).toMatch(/^(?!How many\?).+\nHow many\?$/s);
  });

  it('that are open at once are asked at once, and each gets its answer', async () => {
    const result = await ask('several', (params) => {
      asked.push(params);
      return { action: 'accept', content: { answer: params.message === 'Which dish?' ? 'pie' : 'tea' } };
    });
    expect(textsOf(result)[0]).toBe('pie and tea');
    expect(asked).toHaveLength(2);
    expect(new Set(asked.map(({ message }) => message))).toEqual(new Set(['Which dish?', 'Which drink?']));
  });

  it('that are declined end the task', async () => {
    const result = await ask('hi', answering({ action: 'decline' }));
    expect(result).toMatchObject({ isError: true, _meta: { 'io.parley/a2a': { state: 'canceled' } } });
  });

  it('that are open at once end the task where one is declined', async () => {
    const result = await ask(
      'several',
      answering({ action: 'accept', content: { answer: 'pie' } }, { action: 'decline' }),
    );
    expect(result).toMatchObject({ isError: true, _meta: { 'io.parley/a2a': { state: 'canceled' } } });
    expect(asked).toHaveLength(2);
  });

  it('that are open at once and put aside are asked again, without those that were answered', async () => {
    const accept = { action: 'accept', content: { answer: 'x' } } as const;
    const result = await ask('several', answering(accept, { action: 'cancel' }, accept));
    expect(textsOf(result)[0]).toBe('x and x');
    expect(asked).toHaveLength(3);
    expect(asked[2]?.message).toBe(asked[1]?.message);
  });

  it('that are put aside stay open, and the model is told how to answer', async () => {
    const result = await ask('hi', answering({ action: 'cancel' }));
    const taskId = (result._meta?.['io.parley/a2a'] as { readonly taskId?: string } | undefined)?.taskId;
    expect(textsOf(result)).toEqual(['What is your name?', expect.stringContaining(JSON.stringify(taskId))]);
    const caller = await bridge.connect(generation);
    const answer = await caller.callTool('asker', { message: 'Bob', taskId });
    expect(textsOf(answer)[0]).toBe('Hello, Bob');
    await caller.close();
  });

  it('are results where nobody can be asked', async () => {
    const result = await ask('hi');
    expect(result.isError ?? false).toBe(false);
    expect(textsOf(result)).toEqual([
      'What is your name?',
      expect.stringMatching(
        /^The agent waits for an answer. Call the tool asker with taskId "[^"]+" and the answer as message\.$/,
      ),
    ]);
  });

  it('never ask for a secret by a form', async () => {
    const result = await ask('secret', answering());
    expect(asked).toEqual([]);
    expect(textsOf(result).join(' ')).toContain('must not go through a model');
  });

  it('lead to the page of an authorization, and the call goes on when it is given', async () => {
    const result = await ask('auth', (params) => {
      asked.push(params);
      void grant();
      return { action: 'accept' };
    });
    async function grant() {
      const { tasks } = await (places[2]?.client.listTasks({ state: 'auth-required' }) ?? { tasks: [] });
      await server.authorizeTask(tasks[0]?.id ?? '', 'token-1');
    }
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://crm.example.com/sign-in' }]);
    expect(textsOf(result)[0]).toBe('token-1');
  });
});

// Since 2026-07-28 a question ends the request, and there is no call left to cancel.
it('cancels the task of a client of 2025-11-25 that cancels its call while a person is asked', async () => {
  const { places } = placesOf();
  const bridge = bridgeTo(places);
  const stop = new AbortController();
  const caller = await bridge.connect('2025-11-25', () => {
    stop.abort();
    return { action: 'cancel' };
  });
  await expect(caller.callTool('asker', { message: 'hi' }, { signal: stop.signal })).rejects.toThrow();
  const states = async () => (await places[2]?.client.listTasks())?.tasks.map(({ status }) => status.state);
  await expect.poll(states).toEqual(['canceled']);
  await caller.close();
});
