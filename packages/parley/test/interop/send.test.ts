import { Role, TaskState } from '@a2a-js/sdk';
import { type JsonObject, reply } from 'parley-a2a';
import { expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { agentOf, gate } from '../support/script.ts';
import { AT_ONCE, artifactTexts, messageOf, saidBy, sending, talkOf, taskOf, textOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

everyMatrix((row) => {
  it.runIf(row.sdk.usesFetch)('speaks the version and the binding that the card offers', async () => {
    const { client, wire } = await served(row, lab);
    expect([client.protocolVersion, client.transport.protocolName]).toEqual([row.version, row.binding]);
    await client.sendMessage(sending('reply Hello'));
    const [exchange] = wire;
    expect(exchange?.sent.get('a2a-version')).toBe(row.version);
    expect(exchange?.received.get('a2a-protocol-version')).toBe(row.version);
    const path = { JSONRPC: '/a2a', 'HTTP+JSON': row.version === '1.0' ? '/a2a/message:send' : '/a2a/v1/message:send' };
    expect(exchange?.url.pathname).toBe(path[row.binding as keyof typeof path]);
  });

  it('waits for the task and gets all of it', async () => {
    const { client } = await served(row, lab);
    const task = taskOf(await client.sendMessage(sending('say Working on it\nchunk 3 8\nwait 20')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.status?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(artifactTexts(task)).toEqual(['0001:...0002:...0003:...']);
    expect(task.artifacts[0]).toMatchObject({ name: 'chunks', description: '3 chunks of 8 characters' });
    expect(talkOf(task)).toEqual(['say Working on it\nchunk 3 8\nwait 20', 'Working on it']);
    expect(task.history.map((message) => message.role)).toEqual([Role.ROLE_USER, Role.ROLE_AGENT]);
    expect([task.id, task.contextId]).not.toContain('');
  });

  it('gets a bare message', async () => {
    const { client } = await served(row, lab);
    const message = messageOf(await client.sendMessage(sending('reply Hello')));
    expect(textOf(message.parts)).toBe('Hello');
    expect([message.role, message.taskId]).toEqual([Role.ROLE_AGENT, '']);
    expect([message.messageId, message.contextId]).not.toContain('');
  });

  it.each([
    ['fail inner text', TaskState.TASK_STATE_FAILED],
    ['reject Not today', TaskState.TASK_STATE_REJECTED],
    ['ask Which one?', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['auth Log in first', TaskState.TASK_STATE_AUTH_REQUIRED],
  ])('gets the state of a task that does not complete: %s', async (script, state) => {
    const { client } = await served(row, lab);
    const task = taskOf(await client.sendMessage(sending(script)));
    expect(task.status?.state).toBe(state);
    const [command = '', ...text] = script.split(' ');
    if (command === 'fail') expect(JSON.stringify(task.status)).not.toContain('inner text');
    else expect(saidBy(task)).toBe(text.join(' '));
  });

  it('does not wait if it is told not to, and can look later', async () => {
    const { agent, go } = gatedAgent();
    const { client } = await served(row, agent);
    const task = taskOf(await client.sendMessage(sending('hello', AT_ONCE), inTime()));
    expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(task.status?.state);
    go();
    const state = async () => (await client.getTask({ id: task.id, tenant: '' })).status?.state;
    await eventually(state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('does not wait as a client that polls', async () => {
    const { agent, go } = gatedAgent();
    const { client } = await served(row, agent, {}, { config: { polling: true } });
    const { configuration: _, ...request } = sending('hello');
    const task = taskOf(await client.sendMessage({ ...request, configuration: undefined }, inTime()));
    expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(task.status?.state);
    go();
  });

  it('hands over what belongs to the request', async () => {
    const seen: JsonObject[] = [];
    const agent = agentOf((task) => {
      const { message, metadata, acceptedOutputModes } = task;
      seen.push({
        request: metadata,
        message: message.metadata ?? {},
        acceptedOutputModes: [...acceptedOutputModes],
        extensions: [...(message.extensions ?? [])],
        referenceTaskIds: [...(message.referenceTaskIds ?? [])],
      });
      return reply('seen');
    });
    const { client } = await served(row, agent);
    const metadata = { 'urn:test:trace': { id: 'ä-1', tags: ['x', null, 1.5, true] } };
    const message = { metadata: { mood: '🙂' }, extensions: ['urn:test:a'], referenceTaskIds: ['t-1', 't-2'] };
    const configuration = { acceptedOutputModes: ['text/plain', 'image/*'] };
    await client.sendMessage(sending('hello', { metadata, message, configuration }));
    expect(seen).toEqual([
      {
        request: metadata,
        message: message.metadata,
        acceptedOutputModes: configuration.acceptedOutputModes,
        extensions: message.extensions,
        referenceTaskIds: row.sdk.keepsReferences ? message.referenceTaskIds : [],
      },
    ]);
  });

  it('stays in a context', async () => {
    const { client } = await served(row, lab);
    const first = taskOf(await client.sendMessage(sending('say one')));
    const second = taskOf(await client.sendMessage(sending('say two', { message: { contextId: first.contextId } })));
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
    const own = messageOf(await client.sendMessage(sending('reply Hi', { message: { contextId: 'my-context' } })));
    expect(own.contextId).toBe('my-context');
  });

  it.each([
    [1, ['Working on it']],
    [9, ['say Working on it', 'Working on it']],
  ])('gets no more of the history than it wants: %i', async (historyLength, talk) => {
    const { client } = await served(row, lab);
    const request = sending('say Working on it', { configuration: { historyLength } });
    expect(talkOf(taskOf(await client.sendMessage(request)))).toEqual(talk);
  });

  it('gets no history if it wants none, where it can say so', async () => {
    const { client } = await served(row, lab);
    const request = sending('say Working on it', { configuration: { historyLength: 0 } });
    const talk = row.sdk.saysNoHistory ? [] : ['say Working on it', 'Working on it'];
    expect(talkOf(taskOf(await client.sendMessage(request)))).toEqual(talk);
  });

  it('sends many at once over one client', async () => {
    const { client } = await served(
      row,
      agentOf((task) => task.text.toUpperCase()),
    );
    const words = Array.from({ length: 50 }, (_, index) => `word ${index}`);
    const tasks = await Promise.all(words.map((word) => client.sendMessage(sending(word))));
    expect(tasks.map((task) => artifactTexts(taskOf(task)))).toEqual(words.map((word) => [word.toUpperCase()]));
  });
});

/** For a send that must not wait: it fails long before the test does. */
function inTime() {
  return { signal: AbortSignal.timeout(PATIENCE_MS) };
}

/** An agent that waits for the test. */
function gatedAgent() {
  const released = gate();
  const agent = agentOf(async () => {
    await released.promise;
    return 'done';
  });
  return { agent, go: released.resolve };
}
