import { A2AClient, isTask, type Task, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { heard, participant } from './support/participant.ts';
import { startRelay } from './support/relay.ts';
import { watched } from './support/watching.ts';

/** Two who have met: a has said `one`, b has joined with `here`, and it is b's turn. */
async function met() {
  const { url } = await startRelay();
  const client = await A2AClient.connect(url);
  const a = await client.sendMessage('one', { contextId: 'pair', returnImmediately: true });
  if (!isTask(a)) throw new Error('A task was expected');
  const b = await client.sendMessage('here', { contextId: 'pair' });
  if (!isTask(b)) throw new Error('A task was expected');
  return { url, client, a: a.id, b: b.id, joined: b };
}

describe('coming together', () => {
  it('opens a pair for who names none, and tells its id', async () => {
    const { url } = await startRelay();
    const client = await A2AClient.connect(url);
    const opened = await client.sendMessage('Hello?');
    expect(isTask(opened)).toBe(false);
    const { contextId = '' } = opened as { contextId?: string };
    expect(textOf(opened)).toContain(`A new pair is open: ${contextId}.`);
    expect(textOf(opened)).toContain('This message was not passed on.');
    const a = await participant(url, contextId, 'stream');
    const first = a.say('Anybody there?');
    await eventually(async () => (await fetch(`${url}/pairs/${contextId}`)).text()).toContain('message-1');
    const b = await client.sendMessage('Me', { contextId });
    expect(textOf(heard(b as never))).toBe('Anybody there?');
    void first.catch(() => {});
  });

  it('tells it also who does not wait, in a task that is complete', async () => {
    const { url } = await startRelay();
    const client = await A2AClient.connect(url);
    const opened = await client.sendMessage('Hello?', { returnImmediately: true });
    if (!isTask(opened)) throw new Error('A task was expected');
    await eventually(async () => (await client.getTask(opened.id)).status).toMatchObject({
      state: 'completed',
      message: { parts: [{ text: expect.stringContaining(opened.contextId) }] },
    });
    // That task was no participant: two may come.
    const a = await client.sendMessage('one', { contextId: opened.contextId, returnImmediately: true });
    await eventually(async () => (await client.getTask((a as { id: string }).id)).status.message).toBeTruthy();
    expect(textOf(heard((await client.sendMessage('two', { contextId: opened.contextId })) as never))).toBe('one');
  });

  it('lets the first one wait, and shows it how the second one joins', async () => {
    const { client, a, joined } = await met();
    expect(textOf(heard(joined))).toBe('one');
    await eventually(async () => (await client.getTask(a)).status).toMatchObject({
      state: 'working',
      message: { role: 'agent', parts: [{ kind: 'text', text: 'here' }] },
    });
    const { history } = await client.getTask(a);
    expect(history.map(({ role, parts }) => [role, textOf(parts)])).toEqual([
      ['user', 'one'],
      ['agent', expect.stringContaining('You are the first in pair pair.')],
    ]);
  });

  it('turns away a third one, and changes nothing for the two', async () => {
    const { client, a, b } = await met();
    const third = await client.sendMessage('May I?', { contextId: 'pair' });
    expect(third).toMatchObject({ status: { state: 'rejected' } });
    expect(textOf(third)).toContain('Pair pair has two participants already');
    expect((await client.getTask(b)).status.state).toBe('input-required');
    expect((await client.getTask(a)).status.state).toBe('working');
  });

  it('keeps two who come at the same moment apart', async () => {
    const { url } = await startRelay();
    const client = await A2AClient.connect(url);
    const texts = ['one', 'two', 'three', 'four'];
    const sent = await Promise.all(
      texts.map((said) => client.sendMessage(said, { contextId: 'pair', returnImmediately: true })),
    );
    const ids = sent.map((task) => (task as { id: string }).id);
    const states = async () =>
      (await Promise.all(ids.map((id) => client.getTask(id)))).map(({ status }) => status.state);
    await eventually(async () => (await states()).toSorted()).toEqual([
      'input-required',
      'rejected',
      'rejected',
      'working',
    ]);
  });
});

describe('whose turn it is', () => {
  it('shows as input-required, with what the other side said', async () => {
    const { client, a, b } = await met();
    const answer = client.sendMessage('two', { taskId: b });
    await eventually(async () => (await client.getTask(a)).status).toMatchObject({
      state: 'input-required',
      message: { role: 'agent', taskId: a, contextId: 'pair', parts: [{ text: 'two' }] },
    });
    expect((await client.getTask(b)).status).toMatchObject({
      state: 'working',
      message: { parts: [{ text: 'Waiting for the other side.' }] },
    });
    await client.sendMessage('three', { taskId: a, returnImmediately: true });
    expect(textOf(heard((await answer) as never))).toBe('three');
  });

  it.each(['1.0', '0.3'] as const)('refuses a message out of turn, which leaves no trace (%s)', async (version) => {
    const { url, client, a } = await met();
    const other = await A2AClient.connect(url, { prefer: { version } });
    await expect(other.sendMessage('And another thing', { taskId: a })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('It is the other side’s turn'),
    });
    const { history } = await client.getTask(a);
    expect(history.filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts))).toEqual(['one']);
    expect(await (await fetch(`${url}/pairs/pair`)).text()).not.toContain('And another thing');
  });

  it('mirrors what belongs to a message, and takes no mark of the relay from a participant', async () => {
    const { client, a, b } = await met();
    const metadata = { mood: 'glad', 'urn:parley:relay': { side: 'a' } };
    await client.sendMessage('two', { taskId: b, messageMetadata: metadata, returnImmediately: true });
    await eventually(async () => (await client.getTask(a)).status.message?.metadata).toEqual({ mood: 'glad' });
  });
});

describe('leaving', () => {
  it.each(['a', 'b'] as const)('ends the pair for both when %s leaves', async (leaver) => {
    const { client, url, ...ids } = await met();
    const stays = leaver === 'a' ? ids.b : ids.a;
    expect((await client.cancelTask(ids[leaver])).status.state).toBe('canceled');
    await eventually(async () => (await client.getTask(stays)).status).toMatchObject({
      state: 'canceled',
      message: { role: 'agent', parts: [{ text: 'The other side has left, so this talk is over.' }] },
    });
    await expect(client.sendMessage('Hello?', { taskId: stays })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    });
    expect(await (await fetch(`${url}/pairs/pair`)).text()).toContain('This talk is over.');
  });

  it.each(['a', 'b'] as const)('begins a new talk with the next message when %s has left (S4.7)', async (leaver) => {
    const { client, url, ...ids } = await met();
    await client.cancelTask(ids[leaver]);
    await eventually(async () => (await client.getTask(ids[leaver === 'a' ? 'b' : 'a'])).status.state).toBe('canceled');
    const first = (await client.sendMessage('again', { contextId: 'pair', returnImmediately: true })) as Task;
    await eventually(async () => (await client.getTask(first.id)).status.message?.parts[0]).toMatchObject({
      text: expect.stringContaining('You are the first in pair pair'),
    });
    const second = (await client.sendMessage('me too', { contextId: 'pair' })) as Task;
    expect([second.contextId, second.status.state, textOf(heard(second))]).toEqual(['pair', 'input-required', 'again']);
    const third = await client.sendMessage('and I', { contextId: 'pair' });
    expect(third).toMatchObject({ status: { state: 'rejected' } });
    await client.sendMessage('hello again', { taskId: second.id, returnImmediately: true });
    await eventually(async () => (await client.getTask(first.id)).status).toMatchObject({
      state: 'input-required',
      message: { parts: [{ text: 'hello again' }] },
    });
    const { messages, standings } = await watched(`${url}/pairs/pair`, (all) => all.length === 5);
    expect(messages.map(({ number, epoch, side }) => [number, epoch, side])).toEqual([
      [1, 1, 'a'],
      [2, 1, 'b'],
      [3, 2, 'a'],
      [4, 2, 'b'],
      [5, 2, 'b'],
    ]);
    expect(standings).toEqual([]);
  });

  it('reaches who waits in a stream', async () => {
    const { client, a, b } = await met();
    const stream = client.subscribe(a);
    const events = stream[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ kind: 'task' });
    expect((await client.cancelTask(b)).status.state).toBe('canceled');
    const { status } = await stream.task;
    expect([status.state, textOf(status.message?.parts ?? [])]).toEqual([
      'canceled',
      'The other side has left, so this talk is over.',
    ]);
  });

  it('alone closes the pair', async () => {
    const { url } = await startRelay();
    const client = await A2AClient.connect(url);
    const a = await client.sendMessage('one', { contextId: 'pair', returnImmediately: true });
    await client.cancelTask((a as { id: string }).id);
    const next = (await client.sendMessage('here', { contextId: 'pair', returnImmediately: true })) as Task;
    await eventually(async () => (await client.getTask(next.id)).status.message?.parts[0]).toMatchObject({
      text: expect.stringContaining('You are the first in pair pair'),
    });
  });
});
