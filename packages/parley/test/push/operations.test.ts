import { expect, it } from 'vitest';
import { serveNamed } from '../support/agents/named-callers.ts';
import { sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { isCompleted, startReceiver, toldBy } from './receiver.ts';
import { inline, LOCAL, register } from './support.ts';

const CREATE = 'CreateTaskPushNotificationConfig';
const GET = 'GetTaskPushNotificationConfig';
const LIST = 'ListTaskPushNotificationConfigs';
const DELETE = 'DeleteTaskPushNotificationConfig';
/** Resolves to nothing, so that it is taken and never called. */
const NOWHERE = { ...LOCAL, resolve: () => [] };
const echo = agentOf((task) => task.text);

it('keeps the id of the client, and replaces a config of the same id [rule:push.create-client-id] [rule:push.get]', async () => {
  const { peer } = startServer(echo, { push: NOWHERE });
  const { id: taskId } = await peer.send('hello');
  const first = await register(peer, taskId, { id: 'mine', url: 'https://one.example/' });
  expect(first).toEqual({ id: 'mine', taskId, url: 'https://one.example/' });
  const second = await register(peer, taskId, { id: 'mine', url: 'https://two.example/' });
  expect(await peer.call(GET, { taskId, id: 'mine' })).toEqual(second);
  expect(await peer.call(LIST, { taskId })).toEqual({ configs: [second] });
  const made = await register(peer, taskId, { url: 'https://three.example/' });
  expect(made.id).toMatch(/.{8}/);
});

it('works on finished tasks, deletes twice, and knows no other task [rule:push.finished-task] [rule:push.delete] [rule:push.unknown-task] [rule:push.list]', async () => {
  const { peer } = startServer(echo, { push: NOWHERE });
  const { id: taskId } = await peer.send('hello');
  await register(peer, taskId, { id: 'a', url: 'https://one.example/' });
  for (const id of ['a', 'a', 'never']) expect(await peer.call(DELETE, { taskId, id })).toEqual({});
  expect(await peer.call(LIST, { taskId })).toEqual({ configs: [] });
  expect((await peer.error(GET, { taskId, id: 'a' })).code).toBe(-32001);
  for (const [method, params] of [
    [CREATE, { url: 'https://one.example/' }],
    [GET, { id: 'a' }],
    [LIST, {}],
    [DELETE, { id: 'a' }],
  ] as const) {
    expect((await peer.error(method, { taskId: 'unknown', ...params })).code, method).toBe(-32001);
  }
});

it('lists page by page', async () => {
  const { peer } = startServer(echo, { push: NOWHERE });
  const { id: taskId } = await peer.send('hello');
  for (const id of ['a', 'b', 'c']) await register(peer, taskId, { id, url: 'https://one.example/' });
  const ids: string[] = [];
  let pageToken = '';
  do {
    const page: Wire = await peer.call(LIST, { taskId, pageSize: 2, pageToken });
    ids.push(...page.configs.map(({ id }: Wire) => id));
    pageToken = page.nextPageToken ?? '';
  } while (pageToken);
  expect(ids).toEqual(['a', 'b', 'c']);
  const error = await peer.error(LIST, { taskId, pageToken: 'bm9uZQ' });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('pageToken') });
});

it('never shows token and credentials [rule:push.secrets-hidden]', async () => {
  const { peer } = startServer(echo, { push: NOWHERE });
  const secrets = { token: 'hidden-token', authentication: { scheme: 'Bearer', credentials: 'hidden-credentials' } };
  const config = { url: 'https://one.example/', id: 'a', ...secrets };
  const task = await peer.send('hello', {}, inline(config));
  const shown = [
    task,
    await register(peer, task.id, config),
    await peer.call(GET, { taskId: task.id, id: 'a' }),
    await peer.call(LIST, { taskId: task.id }),
    await peer.call('GetTask', { id: task.id }),
  ];
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(shown[1]).toMatchObject({ authentication: { scheme: 'Bearer' } });
});

it.each<[string, Wire, string]>([
  ['no URL', {}, 'url'],
  ['another scheme', { url: 'ftp://one.example/' }, 'url'],
  ['a private address', { url: 'https://10.1.2.3/' }, 'url'],
  ['an address in odd digits', { url: 'https://0x7f000001/' }, 'url'],
  ['a name that leads to a private address', { url: 'https://inside.example/' }, 'url'],
  ['an authentication without a scheme', { url: 'https://one.example/', authentication: {} }, 'authentication.scheme'],
  ['a scheme that is none', { url: 'https://a.example/', authentication: { scheme: 'a b' } }, 'authentication.scheme'],
  ['a line break', { url: 'https://a.example/', token: 'a\r\nx-admin: 1' }, 'token'],
  ['a secret that is none', { url: 'https://a.example/', token: 'whsec_short' }, 'token'],
])('refuses %s, and names the field [rule:push.create-invalid] [rule:push.ssrf]', async (_, config, field) => {
  const resolve = (host: string) => (host === 'inside.example' ? ['93.184.215.14', '192.168.1.1'] : []);
  const { peer } = startServer(echo, { push: { resolve } });
  const { id: taskId } = await peer.send('hello');
  const error = await peer.error(CREATE, { taskId, ...config });
  expect(error.code).toBe(-32602);
  expect(JSON.stringify(error.data)).toContain(`"field":"${field}"`);
  const inSend = await peer.error('SendMessage', sendParams('hello', {}, inline(config)));
  expect(JSON.stringify(inSend.data)).toContain(`"field":"configuration.taskPushNotificationConfig.${field}"`);
  expect((await peer.call('ListTasks')).totalSize).toBe(1);
});

it('refuses wishes that are none, and more configs than a task may have', async () => {
  const { peer } = startServer(echo, { push: NOWHERE, limits: { pushConfigs: 2 } });
  const { id: taskId } = await peer.send('hello');
  const config = { taskId, url: 'https://one.example/' };
  expect((await peer.error(CREATE, config, { 'parley-push-events': 'some' })).message).toContain('Parley-Push-Events');
  const metadata = { 'urn:parley:ext:push:v1': { snapshot: 'yes' } };
  const send = { ...sendParams('hello', {}, inline({ url: config.url })), metadata };
  expect((await peer.error('SendMessage', send)).message).toContain('snapshot must be true or false');
  const created = await Promise.allSettled(
    Array.from({ length: 5 }, () => register(peer, taskId, { url: config.url })),
  );
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const error = await peer.error(CREATE, config);
  expect(error.message).toContain('2 push notification configs');
});

it('refuses a webhook for a further task while those of too many wait to be told', async () => {
  const { peer } = startServer(echo, { push: NOWHERE, limits: { pushTasks: 2 } });
  const config = { url: 'https://one.example/' };
  const first = await peer.send('one', {}, inline(config));
  await peer.send('two', {}, inline(config));
  const error = await peer.error('SendMessage', sendParams('three', {}, inline(config)));
  expect(error.message).toContain('Webhooks of 2 tasks wait');
  const { id: taskId } = await peer.send('three');
  expect((await peer.error(CREATE, { taskId, ...config })).message).toContain('Webhooks of 2 tasks wait');
  // Another one of a task that has some costs little.
  await register(peer, first.id, config);
  for (const { id } of (await peer.call(LIST, { taskId: first.id })).configs) {
    await peer.call(DELETE, { taskId: first.id, id });
  }
  await register(peer, taskId, config);
});

it('keeps a stranger’s configs apart, like those that never were [rule:security.owner] [rule:security.authorize]', async () => {
  const { peerOf } = serveNamed(echo, { push: NOWHERE });
  const [alice, bob] = [peerOf('alice'), peerOf('bob')];
  const { id: taskId } = await alice.send('hello');
  await register(alice, taskId, { id: 'a', url: 'https://one.example/' });
  for (const [method, params] of [
    [CREATE, { id: 'a', url: 'https://evil.example/' }],
    [GET, { id: 'a' }],
    [LIST, {}],
    [DELETE, { id: 'a' }],
  ] as const) {
    const told = await bob.error(method, { taskId, ...params });
    const unknown = await bob.error(method, { taskId: 'unknown', ...params });
    expect(told.code).toBe(-32001);
    expect(JSON.stringify(told).replaceAll(taskId, 'unknown')).toBe(JSON.stringify(unknown));
  }
  expect((await alice.call(LIST, { taskId })).configs).toHaveLength(1);
});

it('sends nothing more to a webhook that is deleted [rule:push.delete]', async () => {
  const [gone, kept] = await Promise.all([startReceiver(), startReceiver()]);
  const open = gate();
  const agent = agentOf(async (task) => {
    await task.status('working');
    await open.promise;
    return 'done';
  });
  const { peer } = startServer(agent, { push: LOCAL });
  const task = await peer.send('go', {}, { returnImmediately: true });
  await register(peer, task.id, { id: 'gone', url: gone.url }, { 'parley-push-snapshot': 'true' });
  await register(peer, task.id, { id: 'kept', url: kept.url });
  await gone.until(1);
  await peer.call(DELETE, { taskId: task.id, id: 'gone' });
  const before = gone.received.length;
  open.resolve();
  await kept.untilBody(isCompleted);
  expect(gone.received).toHaveLength(before);
  expect(kept.accepted.map(toldBy)).toContain('completed');
});

it('goes on where a replaced config had come to: nothing is left out', async () => {
  const [dead, live] = [await startReceiver(() => ({ status: 500 })), await startReceiver()];
  const { peer } = startServer(echo, { push: LOCAL });
  const task = await peer.send('hello', {}, inline({ id: 'a', url: dead.url }));
  await register(peer, task.id, { id: 'a', url: live.url });
  await live.untilBody(isCompleted);
  expect(live.accepted.map(toldBy)).toEqual(['working', 'hello', 'completed']);
});
