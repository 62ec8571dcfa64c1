import { inputRequired, type Message, type TaskContext, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { AT_ONCE, begin, follow, patientAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { talkOf, textOfTask } from '../../support/frames.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

describe('a message to a working task', () => {
  it('is logged at once, and the run can take it [rule:send.queued]', async () => {
    const looked = gate();
    const taken: string[] = [];
    const { peer } = startServer(
      agentOf(async (task) => {
        taken.push(...task.messages().take().map(textOf));
        await looked.promise;
        taken.push(...task.messages().take().map(textOf), 'and no more', ...task.messages().take().map(textOf));
        return 'done';
      }),
    );
    const id = await begin(peer);
    const second = await follow(peer, id, 'second');
    expect(second.id).toBe(id);
    expect(second.status.state).toBe('TASK_STATE_WORKING');
    expect(talkOf(second)).toEqual(['first', 'second']);
    await follow(peer, id, 'third');
    expect(talkOf(await peer.call('GetTask', { id }))).toEqual(['first', 'second', 'third']);
    expect(taken).toEqual([]);
    looked.resolve();
    await eventually(() => taken).toEqual(['second', 'third', 'and no more']);
  });

  it('is given to a run that waits for messages [rule:send.queued]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        for await (const message of task.messages()) {
          if (textOf(message) === 'stop') break;
          yield `<${textOf(message)}>`;
        }
      }),
    );
    const id = await begin(peer);
    for (const text of ['a', 'b', 'c']) await follow(peer, id, text);
    const finished = await follow(peer, id, 'stop', {});
    expect(finished.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(finished)).toBe('<a><b><c>');
  });

  it('reaches the run with all that it had [rule:send.queued]', async () => {
    const got = gate<Message>();
    const { peer } = startServer(
      agentOf(async (task) => {
        for await (const message of task.messages()) {
          got.resolve(message);
          break;
        }
      }),
    );
    const id = await begin(peer);
    const parts = [{ text: 'a' }, { data: { b: [1] } }, { url: 'https://c.example', filename: 'c' }];
    await peer.send('', { taskId: id, messageId: 'm-9', parts, metadata: { d: true }, referenceTaskIds: ['t-0'] });
    expect(await got.promise).toMatchObject({
      messageId: 'm-9',
      role: 'user',
      taskId: id,
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'data', data: { b: [1] } },
        { kind: 'link', url: 'https://c.example', filename: 'c' },
      ],
      metadata: { d: true },
      referenceTaskIds: ['t-0'],
    });
  });

  it('is refused when too many are waiting, and taken again when they were read [rule:send.queued]', async () => {
    const look = gate();
    const looked = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        await look.promise;
        task.messages().take();
        looked.resolve();
        await hang(task);
      }),
      { limits: { queuedMessages: 2 } },
    );
    const id = await begin(peer);
    await follow(peer, id, 'a');
    await follow(peer, id, 'b');
    const refused = await peer.request('SendMessage', sendParams('c', { taskId: id }, AT_ONCE));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: { code: -32603 } });
    expect(talkOf(await peer.call('GetTask', { id }))).toEqual(['first', 'a', 'b']);
    look.resolve();
    await looked.promise;
    expect(talkOf(await follow(peer, id, 'd'))).toEqual(['first', 'a', 'b', 'd']);
  });
});

describe('messages that the run did not read', () => {
  it('start the next turn when the turn ends with a question [rule:send.queued-next-turn]', async () => {
    const { agent, go, turns } = patientAgent();
    const { peer } = startServer(agent);
    const id = await begin(peer);
    await follow(peer, id, 'second');
    await follow(peer, id, 'third');
    expect(turns.map((turn) => turn.text)).toEqual(['first']);
    go();
    await eventually(() => turns.map((turn) => turn.text)).toEqual(['first', 'second', 'third']);
    await eventually(() => peer.call('GetTask', { id })).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'more than third?' }] } },
    });
    expect(turns[1]?.history).toContain('first');
    expect(turns[1]?.history).not.toContain('second');
    expect(turns[2]?.history).toContain('second');
  });

  it('bring their own request to that turn [rule:send.queued-next-turn]', async () => {
    const { agent, go, turns } = patientAgent();
    const { peer } = startServer(agent);
    const { task } = await peer.call('SendMessage', { ...sendParams('first', {}, AT_ONCE), metadata: { call: 1 } });
    const second = sendParams('second', { taskId: task.id }, AT_ONCE);
    await peer.call('SendMessage', { ...second, metadata: { call: 2 } });
    go();
    await eventually(() => turns.map((turn) => turn.metadata)).toEqual([{ call: 1 }, { call: 2 }]);
  });

  it('are not lost when the run stops reading in the middle [rule:send.queued-next-turn]', async () => {
    const go = gate();
    const turns: string[] = [];
    const { peer } = startServer(
      agentOf(async (task) => {
        turns.push(task.text);
        if (task.text !== 'first') return inputRequired('more?');
        await go.promise;
        for await (const message of task.messages()) {
          turns.push(`read ${textOf(message)}`);
          break;
        }
        return inputRequired('more?');
      }),
    );
    const id = await begin(peer);
    await follow(peer, id, 'second');
    await follow(peer, id, 'third');
    go.resolve();
    await eventually(() => turns).toEqual(['first', 'read second', 'third']);
  });

  it('stay in the history of a task that ends, and their senders are answered [rule:send.queued]', async () => {
    const released = gate();
    const { peer } = startServer(
      agentOf(async () => {
        await released.promise;
        return 'done';
      }),
    );
    const id = await begin(peer);
    const second = follow(peer, id, 'second', {});
    await eventually(async () => talkOf(await peer.call('GetTask', { id }))).toEqual(['first', 'second']);
    released.resolve();
    const answer = await second;
    expect(answer.status.state).toBe('TASK_STATE_COMPLETED');
    expect(talkOf(answer)).toEqual(['first', 'second']);
  });
});

it('takes many messages at once and loses none of them [rule:send.queued]', async () => {
  const seen: string[] = [];
  const { peer } = startServer(
    agentOf(async (task: TaskContext) => {
      for await (const message of task.messages()) {
        seen.push(textOf(message));
        if (seen.length === 50) return 'done';
      }
      return undefined;
    }),
  );
  const id = await begin(peer);
  const texts = Array.from({ length: 50 }, (_, index) => `message ${index}`);
  const answers = await Promise.all(texts.map((text) => follow(peer, id, text, {})));
  for (const answer of answers) expect(answer.status.state).toBe('TASK_STATE_COMPLETED');
  expect(seen.toSorted()).toEqual(texts.toSorted());
  expect(talkOf(await peer.call('GetTask', { id }))).toEqual(['first', ...seen]);
});
