import { inputRequired, type JsonObject, type TaskContext } from 'parley-a2a';
import { QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { asking, said } from '../../support/agents/asking.ts';
import { textOfTask } from '../../support/frames.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { anyBoolean, anyNumber, anyText, order } from '../../support/schemas/small-schemas.ts';
import { agentOf } from '../../support/script.ts';

const infoOf = (task: Wire): Wire => task.status.message.metadata[QUESTIONS_EXTENSION];
const answer = (peer: RpcPeer, task: Wire, text: string) => peer.send(text, { taskId: task.id });
const answerData = (peer: RpcPeer, task: Wire, data: unknown) => peer.send('', { taskId: task.id, parts: [{ data }] });

describe('a question', () => {
  it('is a text for people and a description for programs', async () => {
    const { peer } = asking((task) =>
      task.ask({ prompt: 'Which size?', choices: ['small', { value: 'l', label: 'Large' }], timeout: 90_000 }),
    );
    const task = await peer.send('go');
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(task)).toBe('Which size?\n\n1. small\n2. Large (l)');
    expect(task.status.message.extensions).toEqual([QUESTIONS_EXTENSION]);
    expect(infoOf(task)).toEqual({
      id: expect.any(String),
      prompt: 'Which size?',
      choices: [{ value: 'small' }, { value: 'l', label: 'Large' }],
      timeoutSeconds: 90,
    });
  });

  it('keeps the parts and the metadata of its prompt', async () => {
    const { peer } = asking((task) =>
      task.ask({
        prompt: {
          parts: [
            { kind: 'text', text: 'See ' },
            { kind: 'link', url: 'https://a.example/' },
          ],
          metadata: { a: 1 },
        },
        choices: ['yes', 'no'],
        sensitive: true,
      }),
    );
    const { status } = await peer.send('go');
    expect(status.message.parts).toMatchObject([
      { text: 'See ' },
      { url: 'https://a.example/' },
      { text: '\n\n1. yes\n2. no' },
    ]);
    expect(status.message.metadata).toMatchObject({ a: 1, [QUESTIONS_EXTENSION]: { prompt: 'See ', sensitive: true } });
  });

  it.each([
    ['small', 'small'],
    [' SMALL ', 'small'],
    ['large', 'l'],
    ['2', 'l'],
    ['1.', 'small'],
  ])('takes %j as a choice', async (text, chosen) => {
    const { peer } = asking((task) =>
      task.ask({ prompt: 'Which size?', choices: ['small', { value: 'l', label: 'Large' }] }),
    );
    expect(textOfTask(await answer(peer, await peer.send('go'), text))).toBe(`got "${chosen}"`);
  });

  it.each([
    ['42', anyNumber, '42'],
    [' 4.5 ', anyNumber, '4.5'],
    ['+7', anyNumber, '7'],
    ['yes', anyBoolean, 'true'],
    ['No', anyBoolean, 'false'],
    ['true', anyBoolean, 'true'],
    ['42', anyText, '"42"'],
    ['{"a":1}', anyText, '"{\\"a\\":1}"'],
    ['{"item":"tea","count":2}', order, '{"item":"tea","count":2}'],
  ])('takes the text %j as what the schema wants', async (text, schema, got) => {
    const { peer } = asking((task) => task.ask({ prompt: 'What?', schema }));
    expect(textOfTask(await answer(peer, await peer.send('go'), text))).toBe(`got ${got}`);
  });

  it.each([
    ['data', { item: 'tea', count: 2 }, order, '{"item":"tea","count":2}'],
    ['a wrapped value', { value: 3 }, anyNumber, '3'],
    ['a bare value', 3, anyNumber, '3'],
  ])('takes %s', async (_, data, schema, got) => {
    const { peer } = asking((task) => task.ask({ prompt: 'What?', schema }));
    expect(textOfTask(await answerData(peer, await peer.send('go'), data))).toBe(`got ${got}`);
  });

  it('takes the result of a tool for its answer (S0.7)', async () => {
    const { peer } = asking((task) => task.ask({ prompt: 'Enter API key:', sensitive: true }));
    const task = await peer.send('go');
    const toolUseId = infoOf(task).id;
    const done = await answerData(peer, task, { kind: 'tool-result', toolUseId, result: { value: 'secret-key-123' } });
    expect(textOfTask(done)).toBe('got "secret-key-123"');
  });

  it('shows the schema of its answer where the library can tell', async () => {
    const { peer } = asking(async (task) => [
      await task.ask({ prompt: 'How many?', schema: anyNumber }),
      await task.ask({ prompt: 'What?', schema: order }),
      await task.ask({ prompt: 'Sure?', schema: { schema: anyBoolean, jsonSchema: { type: 'boolean' } } }),
      await task.ask({ prompt: 'Really?', schema: anyBoolean }),
    ]);
    let task = await peer.send('go');
    const schemas: unknown[] = [];
    for (const text of ['1', '{"item":"tea","count":2}', 'yes', 'no']) {
      schemas.push(infoOf(task).schema);
      task = await answer(peer, task, text);
    }
    expect(schemas).toEqual([{ type: 'number' }, order.toJSONSchema(), { type: 'boolean' }, undefined]);
    expect(textOfTask(task)).toBe('got [1,{"item":"tea","count":2},true,false]');
  });

  it('is asked again with the reason, and then fails the task', async () => {
    const { peer, logged } = asking((task) => task.ask({ prompt: 'What?', schema: order }));
    const first = await peer.send('go');
    const second = await answer(peer, first, '{"item":"tea"}');
    expect(said(second)).toBe('That answer cannot be used: answer.count: expected a number\n\nWhat?');
    expect(infoOf(second)).toMatchObject({ prompt: 'What?', problem: 'answer.count: expected a number' });
    expect(infoOf(second).id).not.toBe(infoOf(first).id);
    const third = await answer(peer, second, 'tea');
    const { status } = await answer(peer, third, 'tea');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.metadata).toEqual({ reason: 'invalid-answer' });
    expect(logged).toEqual([]);
  });

  it('gives the run an error that it can catch', async () => {
    const { peer } = asking(async (task) => {
      const question = { prompt: 'Sure?', choices: ['yes', 'no'], attempts: 1 } as const;
      return task.ask(question).catch((error) => `${error.code}: ${error.message}`);
    });
    const done = await answer(peer, await peer.send('go'), 'perhaps');
    expect(textOfTask(done)).toContain(
      'INVALID_ANSWER: No answer fitted; the last one: the answer must be one of: yes, no',
    );
  });

  it('never says what is wrong with a secret', async () => {
    const pin = {
      ...anyNumber,
      '~standard': {
        ...anyNumber['~standard'],
        validate: (value: unknown) => ({ issues: [{ message: `bad: ${String(value)}` }] }),
      },
    };
    const { peer, logged } = asking((task) => task.ask({ prompt: 'PIN?', schema: pin, sensitive: true, attempts: 2 }));
    const again = await answer(peer, await peer.send('go'), 'hunter2');
    expect(JSON.stringify(again.status)).not.toContain('hunter2');
    const { status } = await answer(peer, again, 'hunter2');
    expect(JSON.stringify([status, logged])).not.toContain('hunter2');
  });

  it('may wait for an authorization', async () => {
    const { peer } = asking((task) => task.ask({ prompt: 'Sign in', state: 'auth-required' }));
    const task = await peer.send('go');
    expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    expect(textOfTask(await answer(peer, task, 'done'))).toBe('got "done"');
  });

  it('leaves questions that end a turn as they were', async () => {
    const { peer } = startServer(agentOf((task) => (task.history.length === 0 ? inputRequired('Which?') : task.text)));
    const task = await peer.send('go');
    expect(task.status.message.metadata).toBeUndefined();
    expect(textOfTask(await answer(peer, task, 'this'))).toBe('this');
  });
});

describe('a question with a time limit (S0.9)', () => {
  const start = (run: (task: TaskContext) => Promise<unknown>) => {
    const clock = new ManualClock();
    return { clock, ...asking(run, { clock }) };
  };

  async function started(peer: RpcPeer): Promise<string> {
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    return task.id;
  }

  it.each<[string, () => { onTimeout: JsonObject | string | (() => Promise<string>) }]>([
    ['a value', () => ({ onTimeout: 'nothing' })],
    ['a function', () => ({ onTimeout: async () => 'nothing' })],
  ])('goes on with %s', async (_, options) => {
    const { clock, peer } = start((task) => task.ask({ prompt: 'Who?', timeout: 5_000, ...options() }));
    const id = await started(peer);
    await clock.advance(4_999);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await clock.advance(1);
    const task = await peer.call('GetTask', { id });
    expect(textOfTask(task)).toBe('got "nothing"');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('fails the task with how long it waited', async () => {
    const { clock, peer, logged } = start((task) => task.ask({ prompt: 'Who?', timeout: 300_000 }));
    const id = await started(peer);
    await clock.advance(300_000);
    const { status } = await peer.call('GetTask', { id });
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.metadata).toEqual({ reason: 'input-timeout', timeoutSeconds: 300 });
    expect(logged).toEqual([]);
  });

  it('is over with the answer', async () => {
    const { clock, peer } = start(async (task) => {
      const name = await task.ask({ prompt: 'Who?', timeout: 5_000 });
      return `${name}, ${await task.ask('And who else?')}`;
    });
    const id = await started(peer);
    await clock.advance(1);
    await peer.send('Ann', { taskId: id });
    await clock.advance(600_000);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(textOfTask(await peer.send('Ben', { taskId: id }))).toBe('got "Ann, Ben"');
  });

  it('has its time anew when it is asked again', async () => {
    const { clock, peer } = start((task) =>
      task.ask({ prompt: 'How many?', schema: anyNumber, timeout: 5_000, onTimeout: 0 }),
    );
    const id = await started(peer);
    await clock.advance(4_000);
    await peer.send('many', { taskId: id });
    await clock.advance(4_000);
    expect(textOfTask(await peer.send('3', { taskId: id }))).toBe('got 3');
  });

  it.each([
    ['a time that is none', Number.NaN, 'A question cannot be answered within NaN milliseconds'],
    ['a time that is over', -1, 'A question cannot be answered within -1 milliseconds'],
  ])('refuses %s', async (_, timeout, problem) => {
    const { peer } = start((task) => task.ask({ prompt: 'Who?', timeout }).catch((error: Error) => error.message));
    expect(textOfTask(await peer.send('go'))).toBe(`got "${problem}"`);
  });

  it('waits whole milliseconds, or for ever', async () => {
    const { clock, peer } = start(async (task) => [
      await task.ask({ prompt: 'Who?', timeout: 0.5, onTimeout: 'nobody' }),
      await task.ask({ prompt: 'Who else?', timeout: Number.POSITIVE_INFINITY }),
    ]);
    const id = await started(peer);
    await clock.advance(600_000);
    expect(textOfTask(await peer.send('Ben', { taskId: id }))).toBe('got ["nobody","Ben"]');
  });

  it('is canceled with its task', async () => {
    const { clock, peer, logged } = start((task) => task.ask({ prompt: 'Who?', timeout: 5_000, onTimeout: 'nobody' }));
    const id = await started(peer);
    await clock.advance(1);
    await peer.call('CancelTask', { id });
    await clock.advance(10_000);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    expect(logged).toEqual([]);
  });

  it('shows subscribers that the run goes on', async () => {
    const { clock, peer } = start((task) => task.ask({ prompt: 'Who?', timeout: 5_000, onTimeout: 'nobody' }));
    const id = await started(peer);
    await clock.advance(1);
    const stream = await peer.open('SubscribeToTask', { id });
    await stream.next();
    await clock.advance(5_000);
    const states = (await stream.rest()).map(({ result }) => result.statusUpdate?.status.state).filter(Boolean);
    expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  });
});
