import { describe, expect, it } from 'vitest';
import { clientOf, json } from '../support/other-server.ts';

describe('HTTP+JSON of 0.3', () => {
  it('an error without a code is known by its status', async () => {
    const agent = await clientOf((response, { url }) => {
      const isCancel = url?.endsWith(':cancel');
      json(response, isCancel ? 409 : 404, { message: isCancel ? 'Task cannot be canceled' : 'Task not found' });
    }, 'HTTP+JSON');
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(agent.cancelTask('t')).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    await expect(agent.sendMessage('Hi', { taskId: 't' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  const config = { id: 'hook', url: 'https://example.com/hook' };
  const named = { name: 'tasks/t/pushNotificationConfigs/hook', pushNotificationConfig: config };

  it('a webhook is registered in the form of the proto, which Python and Go read', async () => {
    const bodies: unknown[] = [];
    const agent = await clientOf((response, _, body) => {
      bodies.push(JSON.parse(body));
      json(response, 200, named);
    }, 'HTTP+JSON');
    expect(await agent.createPushConfig('t', config)).toMatchObject(config);
    expect(bodies).toEqual([{ parent: 'tasks/t', configId: 'hook', config: named }]);
  });

  it('and in the other form where that one is refused as invalid', async () => {
    const bodies: unknown[] = [];
    const agent = await clientOf((response, _, body) => {
      bodies.push(JSON.parse(body));
      const isRead = 'pushNotificationConfig' in (JSON.parse(body) as object);
      json(response, isRead ? 200 : 400, isRead ? named : { code: -32602, message: 'missing pushNotificationConfig' });
    }, 'HTTP+JSON');
    expect(await agent.createPushConfig('t', config)).toMatchObject(config);
    expect(bodies[1]).toEqual(named);
  });

  it('tells the first reason where neither is read', async () => {
    let count = 0;
    const agent = await clientOf((response) => {
      count += 1;
      json(response, 400, { code: -32602, message: `no ${count}` });
    }, 'HTTP+JSON');
    await expect(agent.createPushConfig('t', config)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'no 1',
    });
    expect(count).toBe(2);
  });
});

describe('JSON-RPC of 0.3', () => {
  it('a webhook is removed where the answer leaves the empty result out', async () => {
    const agent = await clientOf((response, _, body) => {
      const { id } = JSON.parse(body) as { id: number };
      json(response, 200, { jsonrpc: '2.0', id });
    }, 'JSONRPC');
    expect(await agent.deletePushConfig('t', 'hook')).toBeUndefined();
    await expect(agent.getPushConfig('t', 'hook')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });
});
