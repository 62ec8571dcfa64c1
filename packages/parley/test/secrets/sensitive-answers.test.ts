import { inputRequired, memory } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const SECRET = 'correct horse battery';

const AGENTS = {
  'a question of the extension': agentOf(async (task) => {
    const password = await task.ask({ prompt: 'The password?', sensitive: true });
    return `${password.length} characters`;
  }),
  'a prompt with metadata': agentOf(async (task) => {
    const password = await task.ask({ parts: [{ kind: 'text', text: 'Password?' }], metadata: { sensitive: true } });
    return `${password.length} characters`;
  }),
  'an outcome': agentOf((task) => {
    const asked = { parts: [{ kind: 'text', text: 'Password?', metadata: { sensitive: true } }] } as const;
    return task.previousStatus ? `${task.text.length} characters` : inputRequired(asked);
  }),
};

describe.each(Object.entries(AGENTS))('the answer to %s', (_name, agent) => {
  it('reaches the run and nobody else', async () => {
    const events: Wire[] = [];
    const { peer, logged, server } = startServer(agent);
    server.use({ onEvent: (event) => void events.push(event) });
    const { id } = await peer.send('go');
    const stream = await peer.open('SendStreamingMessage', sendParams(SECRET, { taskId: id, metadata: { x: SECRET } }));
    const frames = await stream.rest();
    const task = await peer.call('GetTask', { id });
    expect(task.artifacts[0].parts[0].text).toBe('21 characters');
    expect(task.history.at(-1).parts).toEqual([{ text: '(not shown)' }]);
    expect(JSON.stringify([task, frames, logged, events])).not.toContain(SECRET);
  });
});

it('is never a message that came before the question', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const agent = agentOf(async (task) => {
    await task.status('working');
    await promise;
    return `got ${await task.ask({ prompt: 'The password?', sensitive: true })}`;
  });
  const { peer } = startServer(agent);
  const { id } = await peer.send('go', {}, { returnImmediately: true });
  await peer.send('early', { taskId: id }, { returnImmediately: true });
  resolve();
  const task = await peer.send('go on', { taskId: id }, { returnImmediately: true });
  expect(task.status.state).not.toBe('TASK_STATE_COMPLETED');
});

it('leaves no digest under its idempotency key, from which it could be guessed', async () => {
  const agent = agentOf(async (task) => `got ${(await task.ask({ prompt: 'The PIN?', sensitive: true })).length}`);
  const store = memory();
  const { peer } = startServer(agent, { store });
  const { id } = await peer.send('go');
  const params = sendParams('1234', { taskId: id });
  const headers = { 'idempotency-key': 'one' };
  const first = await peer.call('SendMessage', params, headers);
  expect(await peer.call('SendMessage', params, headers)).toEqual(first);
  const scope = { tenant: '', subject: '', agent: agent.name };
  expect(await store.key(scope, 'one', Date.now())).toMatchObject({ digest: 'secret', taskId: id });
});
