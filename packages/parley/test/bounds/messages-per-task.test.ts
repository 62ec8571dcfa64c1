import { A2AServer, inputRequired } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { FORMS, MOUNTS, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

const asking = agentOf((task) => (task.text === 'end' ? 'done' : inputRequired('More?')));

function start(messagesPerTask: number) {
  const server = new A2AServer({ agents: [asking], mounts: MOUNTS, limits: { messagesPerTask } });
  onTestFinished(() => server.close());
  return { server, peer: new RpcPeer(server.fetch) };
}

describe.each(FORMS)('$name', (form) => {
  it('refuses a message to a task that has as many as it may have, and says what to do [rule:security.limits]', async () => {
    const { server, peer } = start(4);
    const { id, contextId } = await peer.send('go');
    // Each answer brings the question before it into the history.
    await peer.send('more', { taskId: id, contextId });
    await peer.send('more', { taskId: id, contextId });
    const response = await server.fetch(requestOf(form, 'sendMessage', sendOf(form, { taskId: id, contextId })));
    const { text } = expectShort(form, await textOf(response));
    expect(text).toContain('the 4 messages that a task may have: send a new message in its context instead');
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });
});

it('has no such limit where it is 0', async () => {
  const { peer } = start(0);
  const { id, contextId } = await peer.send('go');
  for (let turn = 0; turn < 5; turn += 1) await peer.send('more', { taskId: id, contextId });
  expect((await peer.send('end', { taskId: id, contextId })).status.state).toBe('TASK_STATE_COMPLETED');
});
