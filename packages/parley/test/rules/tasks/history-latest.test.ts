import { inputRequired } from 'parley-a2a';
import { expect, it } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

const textsOf = (messages: Wire[] | undefined) => (messages ?? []).map((message) => message.parts[0].text);

/** Asks until it is told to stop. */
const asking = () =>
  agentOf((task) => (task.text === 'stop' ? 'done' : inputRequired(`What after ${task.text}?`)), { name: 'asking' });

it('keeps the latest message, whoever said it, in the status and the earlier ones in the history (S4.6)', async () => {
  const { peer } = startServer(asking(), { statusMessageSource: 'latest' });
  const first = await peer.send('one');
  expect(first.status.message.parts[0].text).toBe('What after one?');
  expect(textsOf(first.history)).toEqual(['one']);

  const second = await peer.send('two', { taskId: first.id });
  expect(second.status.message.parts[0].text).toBe('What after two?');
  expect(textsOf(second.history)).toEqual(['one', 'What after one?', 'two']);

  const done = await peer.send('stop', { taskId: first.id });
  expect(done.status.state).toBe('TASK_STATE_COMPLETED');
  expect(done.status.message).toMatchObject({ role: 'ROLE_USER', parts: [{ text: 'stop' }] });
  expect(textsOf(done.history)).toEqual(['one', 'What after one?', 'two', 'What after two?']);
});

it('counts historyLength after the current message was left out (S4.6)', async () => {
  const { peer } = startServer(asking(), { statusMessageSource: 'latest' });
  const { id } = await peer.send('one');
  await peer.send('two', { taskId: id });
  const task = await peer.call('GetTask', { id, historyLength: 2 });
  expect(textsOf(task.history)).toEqual(['What after one?', 'two']);
  expect(task.status.message.parts[0].text).toBe('What after two?');
  const { tasks } = await peer.call('ListTasks', { historyLength: 1 });
  expect(textsOf(tasks[0].history)).toEqual(['two']);
});

it('shows a message to a working task as the current one (S4.6)', async () => {
  const go = gate();
  const working = agentOf(async (task) => {
    await task.status('On it');
    await go.promise;
  });
  const { peer } = startServer(working, { statusMessageSource: 'latest' });
  const { id } = await peer.send('one', {}, { returnImmediately: true });
  await expect.poll(async () => (await peer.call('GetTask', { id })).status.message.parts[0].text).toBe('On it');
  await peer.send('two', { taskId: id }, { returnImmediately: true });
  const task = await peer.call('GetTask', { id });
  expect(task.status.message.parts[0].text).toBe('two');
  expect(textsOf(task.history)).toEqual(['one', 'On it']);
  go.resolve();
});
