import { inputRequired, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { countingAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { brings, kindOf, payloadsOf, textOfTask } from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, pause } from '../../support/script.ts';

const KEY = { 'idempotency-key': '7d1f-key' };

describe('two sends with the same messageId', () => {
  it('are two sends [rule:idempotency.message-id]', async () => {
    let runs = 0;
    const { peer } = startServer(agentOf(() => `run ${++runs}`));
    const params = sendParams('go', { messageId: 'the-same' });
    const first = (await peer.call('SendMessage', params)).task;
    const second = (await peer.call('SendMessage', params)).task;
    expect(second.id).not.toBe(first.id);
    expect([textOfTask(first), textOfTask(second)]).toEqual(['run 1', 'run 2']);
  });

  it('are two messages of one task [rule:idempotency.message-id]', async () => {
    const { peer } = startServer(agentOf((task) => inputRequired(`more than ${task.text}?`)));
    const { id } = await peer.send('a', { messageId: 'the-same' });
    await peer.send('b', { messageId: 'the-same', taskId: id });
    const task = await peer.send('b', { messageId: 'the-same', taskId: id });
    const messages = task.history.filter((message: Wire) => message.role === 'ROLE_USER');
    expect(messages.map((message: Wire) => message.parts[0].text)).toEqual(['a', 'b', 'b']);
  });
});

describe('a send with a known key', () => {
  it('returns the finished task and starts no run [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    go();
    const { peer, server } = startServer(agent);
    const params = sendParams('go');
    const first = await peer.call('SendMessage', params, KEY);
    for (let again = 0; again < 3; again += 1) expect(await peer.call('SendMessage', params, KEY)).toEqual(first);
    expect(runs).toEqual(['go']);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(1);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('returns the task that failed, as it failed [rule:idempotency.joins]', async () => {
    let runs = 0;
    const { peer } = startServer(
      agentOf(() => {
        runs += 1;
        throw new Error('inner');
      }),
    );
    const params = sendParams('go');
    const first = await peer.call('SendMessage', params, KEY);
    expect(first.task.status.state).toBe('TASK_STATE_FAILED');
    expect(await peer.call('SendMessage', params, KEY)).toEqual(first);
    expect(runs).toBe(1);
  });

  it('waits for a task that is still running [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    const { peer } = startServer(agent);
    const params = sendParams('go');
    const first = peer.call('SendMessage', params, KEY);
    await eventually(() => runs).toEqual(['go']);
    let answer: Wire;
    const second = peer.call('SendMessage', params, KEY).then((result) => {
      answer = result;
    });
    await pause(30);
    expect(answer).toBeUndefined();
    go();
    await second;
    expect(answer).toEqual(await first);
    expect(textOfTask(answer.task)).toBe('one two');
    expect(runs).toEqual(['go']);
  });

  it('joins the live stream [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    const { peer } = startServer(agent);
    const params = sendParams('go');
    const first = await peer.open('SendStreamingMessage', params, KEY);
    const before = await first.until(brings('one '));
    const second = await peer.open('SendStreamingMessage', params, KEY);
    const snapshot = await second.next();
    expect(kindOf(snapshot)).toBe('task');
    expect(textOfTask(snapshot?.result.task)).toBe('one ');
    expect(snapshot?.id).toBe(before.at(-1)?.id);
    go();
    expect(payloadsOf(await second.rest())).toEqual(payloadsOf(await first.rest()));
    expect(runs).toEqual(['go']);
  });

  it('as a stream gives the finished task, and closes [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    go();
    const { peer, server } = startServer(agent);
    const params = sendParams('go');
    const { task } = await peer.call('SendMessage', params, KEY);
    expect(payloadsOf(await peer.stream('SendStreamingMessage', params, KEY))).toEqual([{ task }]);
    expect(runs).toEqual(['go']);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('returns the same bare reply [rule:idempotency.joins]', async () => {
    let runs = 0;
    const { peer } = startServer(
      agentOf(() => {
        runs += 1;
        return reply('Hi');
      }),
    );
    const params = sendParams('hello');
    const first = await peer.call('SendMessage', params, KEY);
    expect(first.message.parts).toEqual([{ text: 'Hi' }]);
    expect(await peer.call('SendMessage', params, KEY)).toEqual(first);
    expect(payloadsOf(await peer.stream('SendStreamingMessage', params, KEY))).toEqual([first]);
    expect(runs).toBe(1);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
  });

  it('returns a task that waits for an answer, and again after the answer [rule:idempotency.joins]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'go' ? inputRequired('more?') : 'done')));
    const params = sendParams('go');
    const { task } = await peer.call('SendMessage', params, KEY);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.call('SendMessage', params, KEY)).task).toEqual(task);
    const streamed = await peer.stream('SendStreamingMessage', params, KEY);
    expect(payloadsOf(streamed)).toEqual([{ task }]);
    await peer.send('yes', { taskId: task.id });
    expect((await peer.call('SendMessage', params, KEY)).task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('takes a follow-up only once [rule:idempotency.joins]', async () => {
    const turns: string[] = [];
    const { peer } = startServer(
      agentOf((task) => {
        turns.push(task.text);
        return inputRequired(`more than ${task.text}?`);
      }),
    );
    const { id } = await peer.send('go');
    const params = sendParams('second', { taskId: id });
    const answers = await Promise.all(Array.from({ length: 5 }, () => peer.call('SendMessage', params, KEY)));
    for (const { task } of answers) expect(task.id).toBe(id);
    expect((await peer.call('SendMessage', params, KEY)).task.history).toHaveLength(3);
    expect(turns).toEqual(['go', 'second']);
  });

  it('returns at once where the first one did [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    const { peer } = startServer(agent);
    const params = sendParams('go', {}, { returnImmediately: true });
    const first = await peer.call('SendMessage', params, KEY);
    const second = await peer.call('SendMessage', params, KEY);
    expect(second.task.id).toBe(first.task.id);
    expect(second.task.status.state).toBe('TASK_STATE_WORKING');
    expect(runs).toEqual(['go']);
    go();
  });
});
