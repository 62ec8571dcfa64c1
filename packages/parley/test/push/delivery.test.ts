import { memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { isCompleted, startReceiver, textOf, toldBy, withoutRepeats } from './receiver.ts';
import { inline, LOCAL, register } from './support.ts';

const twoWords = agentOf(async function* () {
  yield 'one ';
  yield 'two';
});

it('tells a webhook that comes with the message of every change, from the first [rule:send.inline-push] [rule:push.attempt] [rule:push.events-default]', async () => {
  const receiver = await startReceiver();
  const { peer } = startServer(twoWords, { push: LOCAL });
  const task = await peer.send('go', {}, inline({ url: receiver.url, id: 'mine' }));
  await receiver.untilBody(isCompleted);
  expect(receiver.accepted.map(toldBy)).toEqual(['working', 'one two', 'completed']);
  expect(receiver.accepted.map(({ headers }) => Number(headers['parley-seq']))).toEqual([3, 5, 6]);
  const shown = { id: 'mine', taskId: task.id, url: receiver.url };
  expect(await peer.call('GetTaskPushNotificationConfig', { taskId: task.id, id: 'mine' })).toEqual(shown);
});

it('sends one StreamResponse as application/a2a+json, whatever the binding [rule:push.payload]', async () => {
  const receiver = await startReceiver();
  const { peer } = startServer(twoWords, { push: LOCAL });
  await peer.send('go', {}, inline({ url: receiver.url }));
  const sent = JSON.stringify({ ...sendParams('go'), configuration: inline({ url: receiver.url }) });
  const headers = { 'content-type': 'application/a2a+json', 'a2a-version': '1.0' };
  const response = await peer.raw('/a2a/message:send', { method: 'POST', body: sent, headers });
  expect(response.status).toBe(200);
  await receiver.until(6);
  for (const { headers, body } of receiver.accepted) {
    expect(headers['content-type']).toBe('application/a2a+json');
    expect(Object.keys(body)).toHaveLength(1);
  }
});

it('tells of what comes after the config was made [rule:push.create] [rule:push.independent]', async () => {
  const receiver = await startReceiver();
  const open = gate();
  const agent = agentOf(async function* () {
    yield 'before ';
    await open.promise;
    yield 'after';
  });
  const { peer } = startServer(agent, { push: LOCAL });
  const task = await peer.send('go', {}, { returnImmediately: true });
  const config = await register(peer, task.id, { url: receiver.url });
  expect(config).toEqual({ id: expect.any(String), taskId: task.id, url: receiver.url });
  open.resolve();
  await receiver.untilBody(isCompleted);
  expect(receiver.accepted.map(toldBy)).toEqual(['before after', 'completed']);
});

it.each(['memory', 'sqlite'])('tells the rest after a restart, with %s [rule:push.persist]', async (kind) => {
  const file = tempFile();
  const kept = memory();
  const open = () => (kind === 'sqlite' ? sqlite(file) : kept);
  let isUp = false;
  const receiver = await startReceiver(() => ({ status: isUp ? 200 : 503 }));
  const first = startServer(twoWords, { push: LOCAL, store: open() });
  await first.peer.send('go', {}, inline({ url: receiver.url }));
  await eventually(() => receiver.received.length).toBeGreaterThan(0);
  await first.server.close();
  isUp = true;
  const second = startServer(twoWords, { push: LOCAL, store: open() });
  await second.server.open();
  await receiver.untilBody(isCompleted);
  expect(withoutRepeats(receiver).map(toldBy)).toEqual(['working', 'one two', 'completed']);
});

it('sends every event on request, as a stream has them [rule:push.events-default]', async () => {
  const [byHeader, byMetadata, bySetting] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const { peer } = startServer(twoWords, { push: LOCAL });
  const headers = { 'parley-push-events': 'all' };
  await peer.call('SendMessage', sendParams('go', {}, inline({ url: byHeader.url })), headers);
  const metadata = { 'urn:parley:ext:push:v1': { events: 'all' } };
  await peer.call('SendMessage', { ...sendParams('go', {}, inline({ url: byMetadata.url })), metadata });
  const all = startServer(twoWords, { push: { ...LOCAL, events: 'all' } });
  await all.peer.send('go', {}, inline({ url: bySetting.url }));
  const chunks = ['working', 'one ', 'two', 'completed'];
  for (const receiver of [byHeader, byMetadata, bySetting]) {
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(chunks);
  }
});

it('shows the task first, on request', async () => {
  const receiver = await startReceiver();
  const { peer } = startServer(twoWords, { push: LOCAL });
  const metadata = { 'urn:parley:ext:push:v1': { snapshot: true } };
  await peer.call('SendMessage', { ...sendParams('go', {}, inline({ url: receiver.url })), metadata });
  await receiver.untilBody(isCompleted);
  expect(receiver.accepted.map(toldBy)).toEqual(['task submitted', 'working', 'one two', 'completed']);
  const later = await startReceiver();
  const task = await peer.send('go');
  await register(peer, task.id, { url: later.url }, { 'parley-push-snapshot': 'true' });
  await later.until(1);
  expect(later.accepted.map(toldBy)).toEqual(['task completed']);
  expect(textOf(later.accepted[0]?.body.task.artifacts[0])).toBe('one two');
});
