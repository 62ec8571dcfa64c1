import { inputRequired, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

const AT_ONCE = { returnImmediately: true };

describe('server.cancelTask', () => {
  it('ends a task that works, with a message that says why, and its run with it', async () => {
    const stopped = gate<unknown>();
    const { peer, server } = startServer(
      agentOf((task) => {
        task.signal.addEventListener('abort', () => stopped.resolve(task.signal.reason));
        return hang(task);
      }),
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    const task = await server.cancelTask(id, 'We close at five.');
    expect([task.status.state, textOf(task.status.message?.parts ?? [])]).toEqual(['canceled', 'We close at five.']);
    await expect(stopped.promise).resolves.toMatchObject({ name: 'AbortError' });
    expect((await peer.call('GetTask', { id })).status).toMatchObject({
      state: 'TASK_STATE_CANCELED',
      message: { role: 'ROLE_AGENT', taskId: id, parts: [{ text: 'We close at five.' }] },
    });
  });

  it('ends one that waits for its caller, without a message too, and only once', async () => {
    const { peer, server } = startServer(agentOf(() => inputRequired('more?')));
    const { id } = await peer.send('go');
    const { status } = await server.cancelTask(id);
    expect([status.state, status.message]).toEqual(['canceled', undefined]);
    await expect(server.cancelTask(id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    await expect(server.cancelTask('unknown')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect((await peer.error('SendMessage', sendParams('x', { taskId: id }))).code).toBe(-32004);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('ends tasks of any caller, on whatever node they run', async () => {
    const nodes = sharedNodes();
    const started = gate<string>();
    const agent = agentOf((task) => {
      void task.status('begun').then(() => started.resolve(task.id));
      return hang(task);
    });
    const ann = await otherCaller(agent, nodes);
    const { server } = startServer(agent, nodes);
    const answer = ann.send('go');
    const id = await started.promise;
    await eventually(() => server.cancelTask(id, 'Enough.').catch(() => undefined)).toMatchObject({
      status: { state: 'canceled', message: { parts: [{ text: 'Enough.' }] } },
    });
    expect(await answer).toMatchObject({ id, status: { state: 'canceled' } });
  });
});
