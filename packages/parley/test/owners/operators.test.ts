import { inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { operatorFetch } from '../../src/cli/connect/operator-fetch.ts';
import { serveNamed } from '../support/agents/named-callers.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const OPERATOR = { scopes: ['parley:operator'] };

async function start() {
  const { peerOf } = serveNamed(agentOf((task) => (task.text === 'done' ? 'done' : inputRequired('more?'))));
  const [ann, bob, operator] = [peerOf('ann'), peerOf('bob'), peerOf('root', OPERATOR)];
  return { ann, bob, operator, peerOf, ofAnn: await ann.send('go'), ofBob: await bob.send('done') };
}

describe('an operator', () => {
  it('gets, subscribes to and cancels a task of any owner, but does not speak in it', async () => {
    const { operator, ann, ofAnn, ofBob } = await start();
    expect((await operator.call('GetTask', { id: ofBob.id })).id).toBe(ofBob.id);
    const stream = await operator.open('SubscribeToTask', { id: ofAnn.id });
    expect((await stream.next())?.result.task.id).toBe(ofAnn.id);
    await stream.close();
    expect(await operator.error('SendMessage', sendParams('x', { taskId: ofAnn.id }))).toMatchObject({ code: -32001 });
    expect((await operator.call('CancelTask', { id: ofAnn.id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await ann.call('GetTask', { id: ofAnn.id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('lists the tasks of everyone at /operator, page by page, and its own elsewhere', async () => {
    const { operator, ofAnn, ofBob } = await start();
    expect((await operator.call('ListTasks', {})).totalSize).toBe(0);
    const wide = operator.at('/a2a/operator');
    const first = await wide.call('ListTasks', { pageSize: 1 });
    const second = await wide.call('ListTasks', { pageSize: 1, pageToken: first.nextPageToken });
    const ids = [...first.tasks, ...second.tasks].map((task: Wire) => String(task.id));
    expect([ids.toSorted(), first.totalSize]).toEqual([[String(ofAnn.id), String(ofBob.id)].toSorted(), 2]);
    const rest = await operator.raw('/a2a/operator/tasks', { headers: { 'a2a-version': '1.0' } });
    expect(((await rest.json()) as Wire).totalSize).toBe(2);
    const pageToken = first.nextPageToken;
    expect(await operator.error('ListTasks', { pageSize: 1, pageToken })).toMatchObject({ code: -32602 });
  });

  it.each(['/a2a/operator', '/a2a/operator/tasks'])('is the only one who may use %s', async (path) => {
    const { bob, peerOf } = await start();
    const isJsonRpc = path === '/a2a/operator';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} });
    const init = isJsonRpc ? { method: 'POST', body } : {};
    const headers = { 'a2a-version': '1.0', 'content-type': 'application/json' };
    const refused = await bob.raw(path, { ...init, headers });
    expect(await refused.text()).toContain('parley:operator');
    expect(refused.status).toBe(isJsonRpc ? refused.status : 403);
    const anonymous = await peerOf('').raw(path, { ...init, headers });
    expect([anonymous.status, anonymous.headers.has('www-authenticate')]).toEqual([401, true]);
  });

  it('is asked for at the address of any agent by the command line', async () => {
    const asked: string[] = [];
    const send: typeof fetch = async (input) => {
      asked.push(input instanceof Request ? input.url : String(input));
      return new Response();
    };
    const wide = operatorFetch(send, () => 'http://h/a2a');
    for (const url of ['http://h/a2a', 'http://h/a2a/tasks?x=1', 'http://h/a2ab', 'http://h/card']) await wide(url);
    const [jsonRpc, rest] = ['http://h/a2a/operator', 'http://h/a2a/operator/tasks?x=1'];
    expect(asked).toEqual([jsonRpc, rest, 'http://h/a2ab', 'http://h/card']);
  });
});
