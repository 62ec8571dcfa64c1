import type { TaskContext } from 'parley-a2a';
import { QUESTIONS_EXTENSION, TOOLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { asking, said } from '../support/agents/asking.ts';
import { textOfParts, textOfTask } from '../support/frames.ts';
import { type RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { anyNumber } from '../support/schemas/small-schemas.ts';
import { gate } from '../support/script.ts';

const infoOf = (task: Wire): Wire => task.status.message.metadata[QUESTIONS_EXTENSION];
const idsOf = (task: Wire): string[] => infoOf(task).open.map(({ id }: Wire) => id);
const answer = (peer: RpcPeer, task: Wire, ...parts: Wire[]) => peer.send('', { taskId: task.id, parts });
const TOOLS = { [TOOLS_EXTENSION]: { tools: [{ name: 'weather' }, { name: 'clock' }] } };

const sizeAndCount = (task: TaskContext) =>
  Promise.all([
    task.ask({ prompt: 'Which size?', choices: ['small', { value: 'l', label: 'Large' }] }),
    task.ask({ prompt: 'How many?', schema: anyNumber }),
  ]);

describe('questions that are asked side by side', () => {
  it('stand in one status, the oldest first', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(task)).toBe('Which size?\n\n1. small\n2. Large (l)\n\nHow many?');
    const choices = [{ value: 'small' }, { value: 'l', label: 'Large' }];
    const first = { id: expect.any(String), prompt: 'Which size?', choices };
    const second = { id: expect.any(String), prompt: 'How many?', schema: { type: 'number' } };
    expect(infoOf(task)).toEqual({ ...first, open: [first, second] });
    expect(infoOf(task).id).toBe(idsOf(task)[0]);
    expect(task.status.message.extensions).toEqual([QUESTIONS_EXTENSION]);
  });

  it('come as one event of a stream, which ends with it', async () => {
    const { peer } = asking(sizeAndCount);
    const frames = await (await peer.open('SendStreamingMessage', sendParams('go'))).rest();
    const asked = frames.flatMap(({ result }) => result.statusUpdate ?? []);
    expect(asked.filter(({ status }: Wire) => status.state === 'TASK_STATE_INPUT_REQUIRED')).toHaveLength(1);
    expect(asked.at(-1).status.message.metadata[QUESTIONS_EXTENSION].open).toHaveLength(2);
  });

  it('are answered one by one by their ids, in any order; the rest stays open', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const [size, count] = idsOf(task);
    const half = await answer(peer, task, { data: { requestId: count, result: 3 } });
    expect(half.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(half)).toBe('Which size?\n\n1. small\n2. Large (l)');
    expect(infoOf(half)).toMatchObject({ id: size, prompt: 'Which size?' });
    expect(infoOf(half)).not.toHaveProperty('open');
    const done = await answer(peer, task, { data: { toolUseId: size, result: 'Large' } });
    expect(textOfTask(done)).toBe('got ["l",3]');
  });

  it('are answered together by one message', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const [size, count] = idsOf(task);
    const parts = [{ data: { requestId: count, result: '3' } }, { data: { requestId: size, result: '1' } }];
    expect(textOfTask(await answer(peer, task, ...parts))).toBe('got ["small",3]');
  });

  it('are answered by parts that name them in their metadata', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const [size, count] = idsOf(task);
    const named = (id: string | undefined) => ({ [QUESTIONS_EXTENSION]: { id } });
    const done = await answer(
      peer,
      task,
      { text: 'large', metadata: named(size) },
      { text: '7', metadata: named(count) },
    );
    expect(textOfTask(done)).toBe('got ["l",7]');
  });

  it('are answered by a message that names one in its metadata', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const metadata = { [QUESTIONS_EXTENSION]: { id: idsOf(task)[1] } };
    const half = await peer.send('5', { taskId: task.id, metadata });
    expect(said(half)).toMatch(/^Which size/);
    expect(textOfTask(await peer.send('small', { taskId: task.id }))).toBe('got ["small",5]');
  });

  it('take an answer without a name for the oldest', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const half = await peer.send('small', { taskId: task.id });
    expect(said(half)).toBe('How many?');
    expect(textOfTask(await peer.send('2', { taskId: task.id }))).toBe('got ["small",2]');
  });

  it('are asked again together with the rest where an answer does not fit', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const [size, count] = idsOf(task);
    const again = await answer(peer, task, { data: { requestId: size, result: 'huge' } });
    expect(said(again)).toBe(
      'How many?\n\nThat answer cannot be used: the answer must be one of: small, l\n\nWhich size?\n\n1. small\n2. Large (l)',
    );
    const [still, other] = idsOf(again);
    expect(still).toBe(count);
    expect(other).not.toBe(size);
    const parts = [{ data: { requestId: other, result: 'l' } }, { data: { requestId: count, result: 1 } }];
    expect(textOfTask(await answer(peer, task, ...parts))).toBe('got ["l",1]');
  });

  it('refuse an answer that names none of them, and keep waiting', async () => {
    const { peer } = asking(sizeAndCount);
    const task = await peer.send('go');
    const params = sendParams('', { taskId: task.id, parts: [{ data: { requestId: 'other', result: 3 } }] });
    const { error } = await peer.respond('SendMessage', params);
    expect(error.code).toBe(-32602);
    expect(JSON.stringify(error)).toContain(`it waits for: ${idsOf(task).join(', ')}`);
    const metadata = { [QUESTIONS_EXTENSION]: { id: 'other' } };
    const named = await peer.respond('SendMessage', sendParams('small', { taskId: task.id, metadata }));
    expect(named.error.code).toBe(-32602);
    expect(await peer.call('GetTask', { id: task.id })).toEqual(task);
  });

  it('refuse an answer that comes twice, whatever is open by then', async () => {
    const { peer } = asking((task) => Promise.all([task.tool('clock'), task.ask('Who?')]));
    const { task } = await peer.call('SendMessage', { ...sendParams('go'), metadata: TOOLS });
    const [clock, who] = idsOf(task);
    const named = { [QUESTIONS_EXTENSION]: { id: clock } };
    await answer(peer, task, { data: { toolUseId: clock, result: 12 } });
    for (const part of [
      { data: { toolUseId: clock, result: 12 } },
      { data: { requestId: clock, result: 12 } },
      { text: '12', metadata: named },
    ]) {
      const error = await peer.error('SendMessage', sendParams('', { taskId: task.id, parts: [part] }));
      expect(error).toMatchObject({ code: -32004, message: 'The task no longer waits for this answer' });
    }
    expect(textOfTask(await answer(peer, task, { data: { requestId: who, result: 'me' } }))).toBe('got [12,"me"]');
  });

  it('have names also where they are asked only in words', async () => {
    const { peer } = asking((task) => Promise.all([task.ask('Who?'), task.ask('Where?')]));
    const task = await peer.send('go');
    expect(infoOf(task).open).toEqual([
      { id: expect.any(String), prompt: 'Who?' },
      { id: expect.any(String), prompt: 'Where?' },
    ]);
    const [who, where] = idsOf(task);
    const half = await answer(peer, task, { data: { requestId: where, result: 'here' } });
    expect(infoOf(half)).toEqual({ id: who, prompt: 'Who?' });
    expect(textOfTask(await answer(peer, task, { data: { requestId: who, result: 'me' } }))).toBe('got ["me","here"]');
  });

  it('are tools of the caller as well, each with its own call', async () => {
    const { peer } = asking((task) =>
      Promise.all([task.tool('weather', { city: 'Oslo' }), task.tool('clock'), task.ask('Who?')]),
    );
    const { task } = await peer.call('SendMessage', { ...sendParams('go'), metadata: TOOLS });
    const uses = task.status.message.parts.flatMap(({ data }: Wire) => data ?? []);
    expect(uses).toEqual([
      { toolUseId: expect.any(String), name: 'weather', args: { city: 'Oslo' } },
      { toolUseId: expect.any(String), name: 'clock', args: {} },
    ]);
    expect(infoOf(task).open).toMatchObject([
      { id: uses[0].toolUseId, tool: { name: 'weather', args: { city: 'Oslo' } } },
      { id: uses[1].toolUseId, tool: { name: 'clock', args: {} } },
      { prompt: 'Who?' },
    ]);
    const [weather, clock, who] = idsOf(task);
    await answer(peer, task, { data: { toolUseId: clock, result: 12 } }, { data: { requestId: who, result: 'I' } });
    expect(textOfTask(await answer(peer, task, { data: { toolUseId: weather, result: 'sun' } }))).toBe(
      'got ["sun",12,"I"]',
    );
  });

  it('let a branch go on while the others wait', async () => {
    const { peer } = asking((task) =>
      Promise.all([task.ask('One?').then(async (one) => `${one} ${await task.ask('Three?')}`), task.ask('Two?')]),
    );
    const task = await peer.send('go');
    const next = await peer.send('1', { taskId: task.id });
    expect(infoOf(next).open.map(({ prompt }: Wire) => prompt)).toEqual(['Two?', 'Three?']);
    await peer.send('2', { taskId: task.id });
    expect(textOfTask(await peer.send('3', { taskId: task.id }))).toBe('got ["1 3","2"]');
  });

  it('join those that are open when they are asked later', async () => {
    const later = gate();
    const { peer } = asking((task) => Promise.all([task.ask('One?'), later.promise.then(() => task.ask('Two?'))]));
    const task = await peer.send('go');
    expect(said(task)).toBe('One?');
    const stream = await peer.open('SubscribeToTask', { id: task.id });
    later.resolve();
    const frames = await stream.until(({ result }) => result.statusUpdate !== undefined);
    expect(textOfParts(frames.at(-1)?.result.statusUpdate.status.message.parts)).toBe('One?\n\nTwo?');
    await stream.close();
    await peer.send('1', { taskId: task.id });
    expect(textOfTask(await peer.send('2', { taskId: task.id }))).toBe('got ["1","2"]');
  });

  it('stay in sight of what the run says meanwhile', async () => {
    const later = gate();
    const { peer } = asking((task) =>
      Promise.all([
        task.ask('One?'),
        task.ask('Two?').then(async (two) => {
          await task.status('Working on it', { metadata: { progress: 1 } });
          later.resolve();
          return two;
        }),
      ]),
    );
    const task = await peer.send('go');
    await answer(peer, task, { data: { requestId: idsOf(task)[1], result: 'b' } });
    await later.promise;
    const seen = await peer.call('GetTask', { id: task.id });
    expect([said(seen), seen.metadata]).toEqual(['One?', { progress: 1 }]);
    expect(textOfTask(await peer.send('a', { taskId: task.id }))).toBe('got ["a","b"]');
  });
});

describe('a secret beside other questions', () => {
  it('is asked for alone, before or after the others', async () => {
    const { peer } = asking((task) =>
      Promise.all([
        task.ask('Who?'),
        task.ask({ prompt: 'Password?', sensitive: true }).then(({ length }) => length),
        task.ask('Where?'),
        task.requireAuth().then(({ text }) => text.length),
      ]),
    );
    let task = await peer.send('go');
    const seen: string[] = [];
    for (const text of ['me', 'the secret', 'here', 'the token']) {
      seen.push(`${task.status.state.slice(11)} ${said(task)}`);
      task = await peer.send(text, { taskId: task.id });
    }
    expect(seen).toEqual([
      'INPUT_REQUIRED Who?',
      'INPUT_REQUIRED Password?',
      'INPUT_REQUIRED Where?',
      'AUTH_REQUIRED An authorization is needed.',
    ]);
    expect(textOfTask(task)).toBe('got ["me",10,"here",9]');
    const kept = JSON.stringify(await peer.call('GetTask', { id: task.id }));
    expect(kept).toContain('here');
    expect(kept).not.toMatch(/the secret|the token/);
  });
});

describe('the number of questions that are open at once', () => {
  it('is limited, with an error of its own', async () => {
    const { peer } = asking(
      (task) =>
        Promise.allSettled([task.ask('1?'), task.ask('2?'), task.ask('3?')]).then((all) =>
          all.map((one) => (one.status === 'fulfilled' ? one.value : [one.reason.code, one.reason.message])),
        ),
      { limits: { openQuestions: 2 } },
    );
    const task = await peer.send('go');
    expect(said(task)).toBe('1?\n\n2?');
    await peer.send('a', { taskId: task.id });
    const problem = '2 questions are open, which is as many as may be (openQuestions)';
    const got = ['a', 'b', ['TOO_MANY_QUESTIONS', problem]];
    expect(textOfTask(await peer.send('b', { taskId: task.id }))).toBe(`got ${JSON.stringify(got)}`);
  });

  it('fails the task where nobody catches that', async () => {
    const { peer } = asking((task) => Promise.all([task.ask('1?'), task.ask('2?')]), { limits: { openQuestions: 1 } });
    const { status } = await peer.send('go');
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { reason: 'too-many-questions' } },
    });
  });
});
