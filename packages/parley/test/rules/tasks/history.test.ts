import { complete, inputRequired, json, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { talkOf, textOfParts } from '../../support/frames.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

/** A talk in which six messages were exchanged; the last of them is the current question. */
async function talk(): Promise<{ peer: RpcPeer; id: string }> {
  const { peer } = startServer(agentOf((task) => inputRequired(`re ${task.text}`)));
  const { id } = await peer.send('one');
  await peer.send('two', { taskId: id });
  await peer.send('three', { taskId: id });
  return { peer, id };
}

const WHOLE = ['one', 're one', 'two', 're two', 'three'];

describe('historyLength', () => {
  it('bounds the history of GetTask to the most recent messages [rule:history.limit]', async () => {
    const { peer, id } = await talk();
    expect(talkOf(await peer.call('GetTask', { id }))).toEqual(WHOLE);
    for (const historyLength of [1, 2, 4, 5, 6, 1000, 2147483647]) {
      const task = await peer.call('GetTask', { id, historyLength });
      expect(talkOf(task)).toEqual(WHOLE.slice(-historyLength));
      expect(textOfParts(task.status.message.parts)).toBe('re three');
    }
  });

  it('bounds it in ListTasks [rule:history.limit]', async () => {
    const { peer } = await talk();
    expect(talkOf((await peer.call('ListTasks', {})).tasks[0])).toEqual(WHOLE);
    for (const historyLength of [1, 3, 100]) {
      const { tasks } = await peer.call('ListTasks', { historyLength });
      expect(talkOf(tasks[0])).toEqual(WHOLE.slice(-historyLength));
    }
  });

  for (const [name, configuration] of Object.entries({ blocking: {}, immediate: { returnImmediately: true } })) {
    it(`bounds it in the answer to a send, ${name} [rule:history.limit]`, async () => {
      for (const historyLength of [1, 2, 3, 100]) {
        const { peer, id } = await talk();
        const task = await peer.send('four', { taskId: id }, { ...configuration, historyLength });
        const whole = talkOf(await peer.call('GetTask', { id }));
        expect(talkOf(task)).toEqual(whole.slice(-historyLength));
      }
    });
  }

  it('bounds it in the first frame of a sent stream [rule:history.limit]', async () => {
    const { peer, id } = await talk();
    const params = sendParams('four', { taskId: id }, { historyLength: 2 });
    const [first] = await peer.stream('SendStreamingMessage', params);
    expect(first?.result.task.history.length).toBeLessThanOrEqual(2);
    expect(talkOf(first?.result.task).at(-1)).toBe('four');
  });

  it('of 0 leaves the member out [rule:history.zero]', async () => {
    const { peer, id } = await talk();
    expect(await peer.call('GetTask', { id, historyLength: 0 })).not.toHaveProperty('history');
    expect((await peer.call('ListTasks', { historyLength: 0 })).tasks[0]).not.toHaveProperty('history');
    expect(await peer.send('four', { taskId: id }, { historyLength: 0 })).not.toHaveProperty('history');
    const params = sendParams('five', { taskId: id }, { historyLength: 0 });
    const [first] = await peer.stream('SendStreamingMessage', params);
    expect(first?.result.task).not.toHaveProperty('history');
    expect(talkOf(await peer.call('GetTask', { id }))).toHaveLength(9);
  });

  for (const historyLength of [-1, -100, 1.5, 'x', 2147483648]) {
    it(`of ${JSON.stringify(historyLength)} is refused [rule:history.negative]`, async () => {
      const { peer, id } = await talk();
      const requests: readonly (readonly [string, Wire])[] = [
        ['GetTask', { id, historyLength }],
        ['ListTasks', { historyLength }],
        ['SendMessage', sendParams('four', { taskId: id }, { historyLength })],
        ['SendStreamingMessage', sendParams('four', { taskId: id }, { historyLength })],
      ];
      for (const [operation, params] of requests) {
        const error = await peer.error(operation, params);
        expect(error.code).toBe(-32602);
        expect(JSON.stringify(error.data)).toContain('historyLength');
      }
      expect(talkOf(await peer.call('GetTask', { id }))).toEqual(WHOLE);
    });
  }
});

describe('the history', () => {
  it('is chronological, and each entry is the message that was exchanged [rule:history.order]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        await task.status({ parts: [text('reading'), json({ page: 1 })], metadata: { step: 1 } });
        await task.status('thinking');
        return inputRequired('and now?');
      }),
    );
    const parts = [
      { text: 'first', metadata: { tone: 'calm' } },
      { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
      { url: 'https://files.example/b' },
      { data: { list: [1, null, { deep: true }] } },
    ];
    const extra = { metadata: { by: 'Ann' }, extensions: ['urn:example:ext'], referenceTaskIds: ['t-1', 't-2'] };
    const sent = sendParams('', { messageId: 'm-1', parts, ...extra });
    const { task } = await peer.call('SendMessage', sent);
    const { id, contextId } = task;
    expect(task.history).toEqual([
      { ...sent.message, taskId: id, contextId },
      {
        messageId: expect.any(String),
        role: 'ROLE_AGENT',
        parts: [{ text: 'reading' }, { data: { page: 1 } }],
        metadata: { step: 1 },
        taskId: id,
        contextId,
      },
      { messageId: expect.any(String), role: 'ROLE_AGENT', parts: [{ text: 'thinking' }], taskId: id, contextId },
    ]);
    const second = await peer.send('second', { taskId: id, messageId: 'm-2' });
    expect(second.history.slice(0, 3)).toEqual(task.history);
    expect(second.history[3]).toEqual(task.status.message);
    expect(second.history[4]).toEqual({
      messageId: 'm-2',
      role: 'ROLE_USER',
      parts: [{ text: 'second' }],
      taskId: id,
      contextId,
    });
    expect(talkOf(second).slice(5)).toEqual(['reading', 'thinking']);
  });

  it('puts messages that crossed in the order in which they came [rule:history.order]', async () => {
    const step = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        await task.status('said before the second message');
        await step.promise;
        await task.status('said after it');
        return complete('the end');
      }),
    );
    const { id } = await peer.send('first', {}, { returnImmediately: true });
    const statusText = async () => textOfParts((await peer.call('GetTask', { id })).status.message?.parts);
    await eventually(statusText).toBe('said before the second message');
    const second = peer.send('second', { taskId: id });
    await eventually(async () => talkOf(await peer.call('GetTask', { id }))).toContain('second');
    step.resolve();
    expect(talkOf(await second)).toEqual(['first', 'said before the second message', 'second', 'said after it']);
    expect(talkOf((await peer.call('ListTasks', {})).tasks[0])).toEqual(talkOf(await peer.call('GetTask', { id })));
  });

  it('has a message of the user as soon as it was received [rule:history.user]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async () => {
        await go.promise;
      }),
    );
    const first = await peer.send('first', {}, { returnImmediately: true });
    expect(talkOf(first)).toEqual(['first']);
    const second = await peer.send('second', { taskId: first.id }, { returnImmediately: true });
    expect(talkOf(second)).toEqual(['first', 'second']);
    const stream = await peer.open('SendStreamingMessage', sendParams('third', { taskId: first.id }));
    expect(talkOf((await stream.next())?.result.task)).toEqual(['first', 'second', 'third']);
    expect(talkOf(await peer.call('GetTask', { id: first.id }))).toEqual(['first', 'second', 'third']);
    go.resolve();
    await stream.rest();
  });

  it("has the agent's status message once the next status replaced it, and not before [rule:history.agent]", async () => {
    const steps = [gate(), gate()];
    const { peer } = startServer(
      agentOf(async (task) => {
        await task.status('reading');
        await steps[0]?.promise;
        await task.status('writing');
        await steps[1]?.promise;
        return complete('that was it');
      }),
    );
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const seen = async () => {
      const task = await peer.call('GetTask', { id });
      return [talkOf(task), textOfParts(task.status.message?.parts)];
    };
    await eventually(seen).toEqual([['go'], 'reading']);
    steps[0]?.resolve();
    await eventually(seen).toEqual([['go', 'reading'], 'writing']);
    steps[1]?.resolve();
    await eventually(seen).toEqual([['go', 'reading', 'writing'], 'that was it']);
  });

  it('keeps a question when the answer comes, whatever state follows [rule:history.agent]', async () => {
    const { peer } = startServer(agentOf(async (task) => void (await task.ask('Which one?'))));
    const asked = await peer.send('go');
    expect(talkOf(asked)).toEqual(['go']);
    const answered = await peer.send('this', { taskId: asked.id });
    expect(talkOf(answered)).toEqual(['go', 'Which one?', 'this']);
    expect(answered.status).not.toHaveProperty('message');
  });
});
