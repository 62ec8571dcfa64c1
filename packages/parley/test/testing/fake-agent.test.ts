import { A2AClient, A2AError, json, textOf } from 'parley-a2a';
import { type FakeAgentScript, type FakeResponse, fakeAgent, TestClock } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { matrix } from '../interop/support/rows.ts';
import '../support/a2a-matchers.ts';
import { testAgent } from 'parley-a2a/testing';
import { agentOf, gate } from '../support/script.ts';

const RECONNECT = { firstDelay: 1, longestDelay: 5 };

function remote(script: FakeAgentScript | FakeResponse) {
  const agent = fakeAgent(script);
  const client = new A2AClient(agent.url, { fetch: agent.fetch, reconnect: RECONNECT, retry: { firstDelay: 1 } });
  return { agent, client };
}

matrix(({ version, binding }) => {
  it('answers as it is told, in every version', async () => {
    const agent = fakeAgent({
      responses: ['one', ['two ', json({ three: 3 }), { state: 'completed', message: 'Done' }]],
    });
    const client = new A2AClient(agent.url, { fetch: agent.fetch, prefer: { version, binding } });
    expect(await client.run('first')).toBe('one');
    const stream = client.sendMessageStream('second');
    const kinds: string[] = [];
    for await (const { kind } of stream) kinds.push(kind);
    expect(kinds).toEqual(['task', 'artifact', 'artifact', 'status']);
    const task = await stream.task;
    expect(task.artifacts[0]?.parts).toMatchObject([{ text: 'two ' }, { data: { three: 3 } }]);
    expect(task).toEqual(await client.getTask(task.id));
    expect(agent.calls.map(({ operation }) => operation)).toEqual([
      'sendStreamingMessage',
      'sendStreamingMessage',
      'getTask',
    ]);
  });
});

describe('a fake agent', () => {
  it('answers without a task, with an error, or as a function says', async () => {
    const { client } = remote({
      responses: [
        { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Hi' }] },
        new A2AError('UNSUPPORTED_OPERATION', 'Not today'),
        ({ text, number }) => `${number}: ${text}`,
      ],
    });
    expect(await client.run('go')).toBe('Hi');
    await expect(client.run('go')).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION', message: 'Not today' });
    expect(await client.run('three')).toBe('3: three');
    expect(await client.run('four')).toBe('4: four');
  });

  it('asks, and goes on with the answer in the same task', async () => {
    const { client } = remote({
      responses: [[{ state: 'input-required', message: 'Which?' }], ({ text }) => `So: ${text}`],
    });
    const asked = await client.sendMessageStream('go').task;
    expect(asked).toBeInState('input-required');
    expect(asked).toHaveText('Which?');
    const answered = await client.sendMessage('this', { taskId: asked.id });
    expect(answered).toHaveText('So: this');
    expect('history' in answered && answered.history.map(textOf)).toEqual(['go', 'Which?', 'this']);
  });

  it('breaks connections, and is resumed behind the last event', async () => {
    const { agent, client } = remote(['one ', new Error('cut'), 'two ', { close: true }, 'three']);
    const stream = client.sendMessageStream('go');
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces).toEqual(['one ', 'two ', 'three']);
    expect(agent.calls.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '2', '4']);
  });

  it('refuses in the middle of a stream', async () => {
    const { client } = remote(['one', new A2AError('UNAVAILABLE', 'Later')]);
    await expect(client.sendMessage('go')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('gives no connection at all where the answer is an error of another kind', async () => {
    const { agent, client } = remote({ responses: [new Error('down'), 'up'] });
    expect(await client.run('go')).toBe('up');
    expect(agent.calls).toHaveLength(2);
  });

  it('can be canceled', async () => {
    const { client } = remote(['one ', { wait: gate().promise }, 'never']);
    const stream = client.sendMessageStream('go');
    await stream.id;
    await stream.cancel();
    await expect(client.cancelTask('another')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await client.getTask(await stream.id)).toBeInState('canceled');
  });

  it('takes its time from a clock', async () => {
    const clock = new TestClock({ frozen: true });
    const { client } = remote({ responses: [['one ', { wait: 60_000 }, 'two']], clock });
    const stream = client.sendMessageStream('go');
    const task = stream.task;
    await stream.id;
    await clock.advance(59_999);
    expect(await client.getTask(await stream.id)).toHaveText('one ');
    await clock.advance(1);
    expect(await task).toHaveText('one two');
  });

  it('does not stream, or does not resume, if its card says so', async () => {
    const { agent, client } = remote({
      responses: ['one'],
      streaming: false,
      resumes: false,
      card: { name: 'weather' },
    });
    expect((await client.agentCard()).name).toBe('weather');
    expect(await client.sendMessageStream('go').task).toHaveText('one');
    expect(agent.calls).toMatchObject([{ operation: 'sendMessage', idempotencyKey: undefined }]);
  });

  it('listens, for those who need a socket', async () => {
    const agent = fakeAgent(['over ', 'a socket']);
    onTestFinished(() => agent.close());
    const url = await agent.listen();
    expect(await (await A2AClient.connect(url)).run('go')).toBe('over a socket');
    const parent = testAgent(agentOf(async (task) => textOf(await task.call(url, 'go').task)));
    onTestFinished(() => parent.close());
    expect(await parent.client.run('go')).toBe('over a socket');
  });
});
