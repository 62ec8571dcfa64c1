import { type CompleteDialect, type DialectDefinition, type DialectWebhooks, v1_0 } from 'parley-a2a/dialects';
import { describe, expect, it } from 'vitest';
import { startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { startReceiver, textOf } from './receiver.ts';
import { LOCAL } from './support.ts';

const twoWords = agentOf(async function* () {
  yield 'one ';
  yield 'two';
});

const MESSAGE = { kind: 'message', role: 'user', messageId: 'm-1', parts: [{ kind: 'text', text: 'go' }] };
const OF_0_3 = { 'a2a-version': '0.3' };

it('gives 0.3 the bare objects of 0.3, and a status change as the whole task [rule:v03.push-body] [rule:push.dialect]', async () => {
  const receiver = await startReceiver();
  const { peer } = startServer(twoWords, { push: LOCAL });
  const pushNotificationConfig = {
    url: receiver.url,
    token: 'tok',
    authentication: { schemes: ['Bearer'], credentials: 'abc' },
  };
  await peer.call('message/send', { message: MESSAGE, configuration: { pushNotificationConfig } }, OF_0_3);
  await receiver.untilBody((body) => body.status?.state === 'completed');
  const bodies = receiver.accepted.map(({ body }) => body);
  expect(bodies.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'task']);
  expect(bodies[0].status.state).toBe('working');
  expect(textOf(bodies[1].artifact)).toBe('one two');
  expect(textOf(bodies[2].artifacts[0])).toBe('one two');
  for (const { headers } of receiver.accepted) {
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-a2a-notification-token': 'tok',
      authorization: 'Bearer abc',
    });
  }
});

it('gives 0.3 the events of a stream where all are asked for [rule:push.events-default]', async () => {
  const receiver = await startReceiver();
  const { peer } = startServer(twoWords, { push: { ...LOCAL, events: 'all' } });
  const configuration = { pushNotificationConfig: { url: receiver.url } };
  await peer.call('message/send', { message: MESSAGE, configuration }, OF_0_3);
  await receiver.untilBody((body) => body.final === true);
  const kinds = receiver.accepted.map(({ body }) => body.kind);
  expect(kinds).toEqual(['status-update', 'artifact-update', 'artifact-update', 'status-update']);
});

it('sets, gets, lists and deletes as 0.3 has it [rule:v03.push-set] [rule:v03.push-results]', async () => {
  const { peer } = startServer(twoWords, { push: { resolve: () => [] } });
  const task = await peer.call('message/send', { message: MESSAGE }, OF_0_3);
  const call = (verb: string, params: Wire) => peer.call(`tasks/pushNotificationConfig/${verb}`, params, OF_0_3);
  expect(await call('list', { id: task.id })).toEqual([]);
  const config = { url: 'https://hooks.example/1', id: 'one' };
  const set = await call('set', { taskId: task.id, pushNotificationConfig: { ...config, token: 't' } });
  expect(set).toEqual({ taskId: task.id, pushNotificationConfig: config });
  expect(await call('get', { id: task.id })).toEqual(set);
  expect(await call('get', { id: task.id, pushNotificationConfigId: 'one' })).toEqual(set);
  const changed = { url: 'https://hooks.example/2', id: 'one' };
  await call('set', { taskId: task.id, pushNotificationConfig: changed });
  expect(await call('list', { id: task.id })).toEqual([{ taskId: task.id, pushNotificationConfig: changed }]);
  expect(await call('delete', { id: task.id, pushNotificationConfigId: 'one' })).toBe(null);
  expect((await peer.error('tasks/pushNotificationConfig/get', { id: task.id }, OF_0_3)).code).toBe(-32001);
});

it('gives the draft its flat body, and reads its configs (S2.2) (S2.11)', async () => {
  const receiver = await startReceiver();
  const { server, peer } = startServer(twoWords, { push: LOCAL, mounts: [{ path: '/draft', dialect: 'v1_draft' }] });
  await server.open();
  const draft = peer.at('/draft');
  const message = { role: 'user', messageId: 'm-2', parts: [{ text: 'go' }] };
  const pushNotificationConfig = {
    url: receiver.url,
    token: 'tok',
    authentication: { schemes: ['bearer'], credentials: 'c' },
  };
  const task = await draft.call('SendMessage', { message, configuration: { pushNotificationConfig } });
  await receiver.untilBody((body) => body.status?.state === 'completed');
  expect(receiver.accepted.map(({ body }) => [body.taskId, body.status.state, body.artifact !== undefined])).toEqual([
    [task.id, 'working', false],
    [task.id, 'working', true],
    [task.id, 'completed', false],
  ]);
  expect(receiver.accepted[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'tok', authorization: 'bearer c' });
  const listed = await draft.call('ListTaskPushNotificationConfigs', { taskId: task.id });
  const [one] = listed.configs;
  expect(one).toMatchObject({ taskId: task.id, pushNotificationConfig: { url: receiver.url } });
  const set = await draft.call('SetTaskPushNotificationConfig', one);
  expect(set).toEqual(one);
});

describe('a dialect of a user', () => {
  const acme = (base: CompleteDialect, webhooks: Partial<DialectWebhooks> = {}): DialectDefinition => ({
    name: 'acme',
    serving: {
      ...base.serving,
      name: 'acme',
      webhooks: { ...base.serving.webhooks, ...webhooks },
      addresses: { mounts: (basePath) => [`${basePath}/acme`] },
    },
  });
  const message = { role: 'ROLE_USER', messageId: 'm-3', parts: [{ text: 'go' }] };

  it('has the webhooks of the version that it is made of', async () => {
    const receiver = await startReceiver();
    const { server, peer } = startServer(twoWords, { push: LOCAL, dialects: [acme(v1_0)] });
    await server.open();
    const mount = peer.at('/a2a/acme');
    const { task } = await mount.call('SendMessage', {
      message,
      configuration: { taskPushNotificationConfig: { id: 'one', url: receiver.url } },
    });
    await receiver.untilBody((body) => body.statusUpdate?.status.state === 'TASK_STATE_COMPLETED');
    expect(receiver.accepted.map(({ headers }) => headers['content-type'])).toContain('application/a2a+json');
    const refused = await mount.error('CreateTaskPushNotificationConfig', { taskId: task.id, url: 'ftp://x' });
    expect(fieldsOf(refused)).toEqual(['url']);
    const unnamed = await mount.error('GetTaskPushNotificationConfig', { taskId: task.id, id: task.id });
    expect(unnamed.code).toBe(-32001);
  });

  it('says itself what is different', async () => {
    const receiver = await startReceiver();
    const webhooks = { member: 'hook', requiresId: false, contentType: 'application/x-acme', tellsTasks: true };
    const { server, peer } = startServer(twoWords, { push: LOCAL, dialects: [acme(v1_0, webhooks)] });
    await server.open();
    const mount = peer.at('/a2a/acme');
    const configuration = { taskPushNotificationConfig: { id: 'one', url: receiver.url } };
    const { task } = await mount.call('SendMessage', { message, configuration });
    await receiver.untilBody((body) => body.task?.status.state === 'TASK_STATE_COMPLETED');
    expect(receiver.accepted.map(({ headers }) => headers['content-type'])).toContain('application/x-acme');
    const refused = await mount.error('CreateTaskPushNotificationConfig', { taskId: task.id, url: 'ftp://x' });
    expect(fieldsOf(refused)).toEqual(['hook.url']);
    const first = await mount.call('GetTaskPushNotificationConfig', { taskId: task.id, id: task.id });
    expect(first.id).toBe('one');
  });
});

function fieldsOf({ data }: Wire): unknown[] {
  const details = data as readonly Wire[];
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }: Wire) => field));
}
