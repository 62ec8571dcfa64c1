import { inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { begin, follow, patientAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { shows, talkOf, textOfParts, textOfTask } from '../../support/frames.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

describe('a blocking follow-up', () => {
  it('returns at the question that came after its message was read [rule:send.blocking-follow-up]', async () => {
    const { agent, go } = patientAgent();
    const { peer } = startServer(agent);
    const first = peer.send('first', { contextId: 'talk' });
    const listed = async () => (await peer.call('ListTasks', { contextId: 'talk' })).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    const taskId = await listed();
    const second = follow(peer, taskId, 'second', {});
    await eventually(async () => talkOf(await peer.call('GetTask', { id: taskId }))).toEqual(['first', 'second']);
    go();
    expect((await second).status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'more than second?' }] },
    });
    await first;
  });

  it('does not hold up the send before it, which returns at its own question [rule:send.blocking-follow-up]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        if (task.text !== 'first') return hang(task);
        await go.promise;
        return inputRequired('more than first?');
      }),
    );
    const first = peer.send('first', { contextId: 'talk' });
    const listed = async () => (await peer.call('ListTasks', { contextId: 'talk' })).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    await follow(peer, await listed(), 'second');
    go.resolve();
    expect((await first).status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'more than first?' }] },
    });
  });

  it('returns when the turn that read its message ends the task [rule:send.blocking-follow-up]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'first' ? inputRequired('more?') : task.text)));
    const { id } = await peer.send('first');
    const answer = await follow(peer, id, 'second', {});
    expect(answer.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(answer)).toBe('second');
  });

  it('as a stream begins with the task that holds its message, and ends with its turn [rule:send.queued]', async () => {
    const { agent, go } = patientAgent();
    const { peer } = startServer(agent);
    const id = await begin(peer);
    const stream = await peer.open('SendStreamingMessage', sendParams('second', { taskId: id }));
    const snapshot = await stream.next();
    expect(talkOf(snapshot?.result.task)).toEqual(['first', 'second']);
    go();
    const frames = await stream.rest();
    const asked = frames.filter(shows('TASK_STATE_INPUT_REQUIRED'));
    expect(asked.map((frame) => textOfParts(frame.result.statusUpdate.status.message.parts))).toEqual([
      'more than first?',
      'more than second?',
    ]);
    expect(frames.at(-1)).toBe(asked.at(-1));
  });
});
