import { Role, TaskState } from '@a2a-js/sdk';
import { chunk, json } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { eventually } from '../support/eventually.ts';
import { agentOf, gate } from '../support/script.ts';
import {
  allOf,
  assembled,
  assembledTexts,
  brings,
  COMPLETED,
  chunkTexts,
  kindsOf,
  payloadOf,
  reading,
  stateOf,
  statusTexts,
  taskIdOf,
} from './support/events.ts';
import { artifactTexts, sending, textOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

const SCRIPT = ['say Working on it', 'chunk 4 8', 'file notes.txt text/plain Hello', 'data {"answer": 42}', 'say Bye'];

/** An agent that writes `one `, waits for the test, and writes `two`. */
function gatedAgent() {
  const released = gate();
  const agent = agentOf(async function* () {
    yield 'one ';
    await released.promise;
    yield 'two';
  });
  return { agent, go: released.resolve };
}

everyMatrix((row) => {
  it('gets events of every kind in their order', async () => {
    const { client } = await served(row, lab);
    const events = await allOf(client.sendMessageStream(sending(SCRIPT.join('\n'))));
    expect(kindsOf(events)).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    const first = payloadOf(events[0], 'task');
    expect(first?.history.map((message) => [message.role, textOf(message.parts)])).toEqual([
      [Role.ROLE_USER, SCRIPT.join('\n')],
    ]);
    expect(statusTexts(events)).toEqual(['Working on it', 'Bye']);
    expect(stateOf(events.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
    for (const event of events.slice(1)) {
      const update = payloadOf(event, 'statusUpdate') ?? payloadOf(event, 'artifactUpdate');
      expect([update?.taskId, update?.contextId]).toEqual([first?.id, first?.contextId]);
    }
  });

  it('puts artifacts together as the task has them', async () => {
    const { client } = await served(row, lab);
    const events = await allOf(client.sendMessageStream(sending(SCRIPT.join('\n'))));
    const [chunks, file, data] = assembled(events, row).values();
    expect(chunks).toMatchObject({ name: 'chunks', description: '4 chunks of 8 characters' });
    expect(textOf(chunks?.parts)).toBe('0001:...0002:...0003:...0004:...');
    expect(file?.parts[0]?.content).toEqual({ $case: 'raw', value: Buffer.from('Hello') });
    expect(data?.parts[0]?.content).toEqual({ $case: 'data', value: { answer: 42 } });
    const task = await client.getTask({ id: taskIdOf(events[0]), tenant: '' });
    expect(artifactTexts(task)).toEqual(assembledTexts(events, row));
    expect(task.artifacts.map((artifact) => artifact.artifactId)).toEqual([...assembled(events, row).keys()]);
  });

  it('is told which chunk appends, which replaces, and which is the last', async () => {
    const agent = agentOf(async function* () {
      const about = { artifactId: 'a-1', name: 'draft', description: 'What changes', metadata: { lang: 'de' } };
      yield chunk('first ', about);
      yield chunk('draft', { artifactId: 'a-1' });
      yield chunk('second draft', { ...about, append: false, lastChunk: true });
      yield json({ done: true });
    });
    const { client } = await served(row, agent);
    const events = await allOf(client.sendMessageStream(sending('write')));
    const updates = events.flatMap((event) => payloadOf(event, 'artifactUpdate') ?? []);
    const flags = updates.map(({ artifact, append, lastChunk }) => [artifact?.artifactId, append, lastChunk]);
    expect(flags.slice(0, 3)).toEqual([
      ['a-1', false, false],
      ['a-1', row.sdk.readsAppend, false],
      ['a-1', false, true],
    ]);
    expect(updates[0]?.artifact).toMatchObject({
      name: 'draft',
      description: 'What changes',
      metadata: { lang: 'de' },
    });
    const task = await client.getTask({ id: taskIdOf(events[0]), tenant: '' });
    expect(artifactTexts(task)[0]).toBe('second draft');
    if (row.sdk.readsAppend) expect(assembledTexts(events, row)).toEqual(artifactTexts(task));
  });

  it('gets a bare message as the only event', async () => {
    const { client } = await served(row, lab);
    const events = await allOf(client.sendMessageStream(sending('reply Hello')));
    expect(kindsOf(events)).toEqual(['message']);
    expect(events).toHaveLength(1);
    expect(textOf(payloadOf(events[0], 'message')?.parts)).toBe('Hello');
  });

  it.each([
    ['fail inner text', TaskState.TASK_STATE_FAILED],
    ['reject Not today', TaskState.TASK_STATE_REJECTED],
    ['ask Which one?', TaskState.TASK_STATE_INPUT_REQUIRED],
  ])('ends with the state that the turn ends in: %s', async (script, state) => {
    const { client } = await served(row, lab);
    const events = await allOf(client.sendMessageStream(sending(`say so\n${script}`)));
    expect(stateOf(events.at(-1))).toBe(state);
  });

  it('sees what happens when it happens', async () => {
    const { agent, go } = gatedAgent();
    const { client } = await served(row, agent);
    const stream = reading(client.sendMessageStream(sending('hello')));
    const before = await stream.until(brings('one '));
    expect(chunkTexts(before)).toEqual(['one ']);
    go();
    const after = await stream.rest();
    expect(assembledTexts([...before, ...after], row)).toEqual(['one two']);
    expect(COMPLETED(after.at(-1) ?? {})).toBe(true);
  });

  it('falls back to a plain send for an agent that does not stream', async () => {
    const agent = agentOf((task) => task.text.toUpperCase(), { streaming: false });
    const { client, wire } = await served(row, agent);
    const events = await allOf(client.sendMessageStream(sending('hello')));
    expect(kindsOf(events)).toEqual(['task']);
    expect(assembledTexts(events, row)).toEqual(['HELLO']);
    if (row.sdk.usesFetch) expect(wire[0]?.received.get('content-type')).toMatch(/^application\/(a2a\+)?json/);
  });

  it('skips the comments that keep an idle stream alive', async () => {
    const { agent, go } = gatedAgent();
    const { client } = await served(row, agent, { limits: { keepAlive: 5 } });
    const stream = reading(client.sendMessageStream(sending('hello')));
    await stream.until(brings('one '));
    setTimeout(go, 60);
    expect(stateOf((await stream.rest()).at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  describe('that is given up', () => {
    it.runIf(row.sdk.failsAsAborted)(
      'by its signal: it ends with an AbortError, the task goes on, and the server lets go',
      async () => {
        const { agent, go } = gatedAgent();
        const { client, server } = await served(row, agent);
        const aborted = new AbortController();
        const stream = reading(client.sendMessageStream(sending('hello'), { signal: aborted.signal }));
        const [first] = await stream.until(brings('one '));
        const rest = stream.rest();
        aborted.abort();
        await expect(rest).rejects.toMatchObject({ name: 'AbortError' });
        await eventually(() => server.load.subscriptions).toBe(0);
        go();
        const look = async () => artifactTexts(await client.getTask({ id: taskIdOf(first), tenant: '' }));
        await eventually(look).toEqual(['one two']);
      },
    );

    it('by reading no further: the task goes on, and the server lets go', async () => {
      const { agent, go } = gatedAgent();
      const { client, server } = await served(row, agent);
      const stream = reading(client.sendMessageStream(sending('hello')));
      const [first] = await stream.until(brings('one '));
      await stream.leave();
      await eventually(() => server.load.subscriptions).toBe(0);
      go();
      const look = async () => (await client.getTask({ id: taskIdOf(first), tenant: '' })).status?.state;
      await eventually(look).toBe(TaskState.TASK_STATE_COMPLETED);
    });

    it.runIf(row.sdk.failsAsAborted)('before it began: no request is made, or none that counts', async () => {
      const { client } = await served(row, lab);
      const attempt = allOf(client.sendMessageStream(sending('say hi'), { signal: AbortSignal.abort() }));
      await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});
