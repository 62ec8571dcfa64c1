import { expect, it } from 'vitest';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

it.each<[string, Wire]>([
  ['CreateTaskPushNotificationConfig', { url: 'https://example.com/hook' }],
  ['GetTaskPushNotificationConfig', { id: 'config' }],
  ['ListTaskPushNotificationConfigs', {}],
  ['DeleteTaskPushNotificationConfig', { id: 'config' }],
])('refuses %s while push is off, whatever the task [rule:push.capability-off]', async (method, params) => {
  const { peer } = startServer(
    agentOf((task) => task.text),
    { push: false },
  );
  const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
  expect(card.capabilities.pushNotifications).toBe(false);
  const { id } = await peer.send('hello');
  for (const taskId of [id, 'unknown', '']) {
    const error = await peer.error(method, { ...params, taskId });
    expect([error.code, error.data[0].reason], taskId).toEqual([-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED']);
  }
  expect((await peer.error(method, {})).code).toBe(-32003);
});

it('refuses a webhook inside a send while push is off, and starts nothing [rule:push.capability-off]', async () => {
  let runs = 0;
  const { peer } = startServer(
    agentOf(() => {
      runs += 1;
    }),
    { push: false },
  );
  const configuration = { taskPushNotificationConfig: { url: 'https://example.com/hook' } };
  for (const method of ['SendMessage', 'SendStreamingMessage']) {
    expect((await peer.error(method, sendParams('hello', {}, configuration))).code).toBe(-32003);
  }
  expect(runs).toBe(0);
  expect((await peer.call('ListTasks')).totalSize).toBe(0);
});
