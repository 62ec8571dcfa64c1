import { inputRequired } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sharedNodes } from '../support/other-caller.ts';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf, gate, hang } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';

const AT_ONCE = { returnImmediately: true };
const BUSY = 'One thing at a time';

describe('an agent that takes no messages while it works', () => {
  it('refuses them with its own words, and they leave no trace', async () => {
    const done = gate();
    const agent = agentOf(
      async () => {
        await done.promise;
        return inputRequired('more?');
      },
      { refuseWhileWorking: BUSY },
    );
    const { peer } = startServer(agent);
    const { id } = await peer.send('go', {}, AT_ONCE);
    const error = await peer.error('SendMessage', sendParams('and this', { taskId: id }));
    expect([error.code, error.message]).toEqual([-32004, BUSY]);
    done.resolve();
    await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.call('GetTask', { id })).history).toHaveLength(1);
    expect((await peer.send('now', { taskId: id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('takes the answer to a question', async () => {
    const agent = agentOf(async (task) => `so ${await task.ask('which?')}`, { refuseWhileWorking: BUSY });
    const { peer } = startServer(agent);
    const { id } = await peer.send('go');
    expect((await peer.send('that one', { taskId: id })).artifacts[0].parts[0].text).toBe('so that one');
  });

  it('lets a send that is repeated under its key join the first one', async () => {
    const agent = agentOf((task) => (task.history.length === 0 ? inputRequired('more?') : hang(task)), {
      refuseWhileWorking: BUSY,
    });
    const { peer } = startServer(agent);
    const { id } = await peer.send('go');
    const params = { ...sendParams('second', { taskId: id, messageId: 'm-2' }), configuration: AT_ONCE };
    const headers = { 'idempotency-key': 'k-1' };
    expect((await peer.call('SendMessage', params, headers)).task.id).toBe(id);
    expect((await peer.call('SendMessage', params, headers)).task.id).toBe(id);
    const { history } = await peer.call('GetTask', { id });
    expect(history.filter(({ role }: { role: string }) => role === 'ROLE_USER')).toHaveLength(2);
  });

  it('refuses on every node, and after a restart', async () => {
    const agent = agentOf(hang, { refuseWhileWorking: BUSY, resumable: true });
    const nodes = sharedNodes();
    const { id } = await startServer(agent, nodes).peer.send('go', {}, AT_ONCE);
    const elsewhere = await startServer(agent, nodes).peer.error('SendMessage', sendParams('x', { taskId: id }));
    expect(elsewhere.message).toBe(BUSY);

    const file = tempFile();
    const first = startServer(agent, { store: sqlite(file), drainTimeout: 0 });
    const before = await first.peer.send('go', {}, AT_ONCE);
    await first.server.close();
    const { peer } = startServer(agent, { store: sqlite(file) });
    expect((await peer.error('SendMessage', sendParams('x', { taskId: before.id }))).message).toBe(BUSY);
  });
});
