import { A2AClient } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';
import { startReceiver } from './receiver.ts';
import { LOCAL } from './support.ts';

const twoWords = agentOf(async function* () {
  yield 'one ';
  yield 'two';
});

const OFFICIAL = { kind: 'message', role: 'user', messageId: 'm-1', parts: [{ kind: 'text', text: 'go' }] };
const textIn = (artifact: Wire) => artifact.parts.map(({ text }: Wire) => text).join('');

/** Mounts whose documents know 0.3's operations on webhooks, with the message of each, and what a webhook is told. */
const MOUNTS = [
  { dialect: 'rxjs', path: '/api/a2a', message: OFFICIAL },
  { dialect: 'rxjs-older', path: '/older', message: OFFICIAL },
  { dialect: 'banterop', path: '/a2a/v1', message: OFFICIAL },
  { dialect: 'cogitator', path: '/cogitator', message: { role: 'user', parts: [{ type: 'text', text: 'go' }] } },
] as const;

/** The operations of 0.3 at a mount. */
function at(path: string, peer: RpcPeer) {
  const headers = { 'a2a-version': '0.3' };
  const mount = peer.at(path);
  return {
    call: (method: string, params: Wire): Promise<Wire> => mount.call(method, params, headers),
    error: (method: string, params: Wire): Promise<Wire> => mount.error(method, params, headers),
  };
}

async function serve() {
  const receiver = await startReceiver();
  const { server, peer } = startServer(twoWords, { push: LOCAL, mounts: SPEAKERS_MOUNTS });
  await server.open();
  return { receiver, server, peer };
}

describe.each(MOUNTS)('a webhook at the mount of $dialect', ({ dialect, path, message }) => {
  it('comes with a message, and is told in the form of the mount [rule:push.dialect]', async () => {
    const { receiver, peer } = await serve();
    const pushNotificationConfig = {
      id: 'mine',
      url: receiver.url,
      token: 'tok',
      authentication: { schemes: ['Bearer'], credentials: 'abc' },
    };
    const mount = at(path, peer);
    const task = await mount.call('message/send', { message, configuration: { pushNotificationConfig } });
    await receiver.untilBody((body) => body.status?.state === 'completed');
    const bodies = receiver.accepted.map(({ body }) => body);
    const [first, artifact, last] = bodies;
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body.taskId ?? body.id).toBe(task.id);
    expect([first.status.state, textIn(artifact.artifact), textIn(last.artifacts[0])]).toEqual([
      'working',
      'one two',
      'one two',
    ]);
    // The document of S3 has other names for two members.
    if (dialect === 'cogitator') {
      expect(artifact).toMatchObject({ type: 'artifact-update', artifact: { id: expect.any(String) } });
      expect(artifact.artifact.parts[0].type).toBe('text');
    } else {
      expect(bodies.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'task']);
      expect(artifact.artifact.parts[0].kind).toBe('text');
    }
    for (const { headers } of receiver.accepted) {
      expect(headers).toMatchObject({ 'x-a2a-notification-token': 'tok', authorization: 'Bearer abc' });
      expect(headers['webhook-signature']).toMatch(/^v1a,/);
    }
  });

  it('is set, read, listed and deleted, and shows no secret', async () => {
    const { receiver, peer } = await serve();
    const mount = at(path, peer);
    const task = await mount.call('message/send', { message });
    const call = (verb: string, params: Wire) => mount.call(`tasks/pushNotificationConfig/${verb}`, params);
    const config = { id: 'mine', url: receiver.url };
    const given = { ...config, token: 'a-secret', authentication: { schemes: ['Bearer'], credentials: 'a-secret' } };
    const shown = await call('set', { taskId: task.id, pushNotificationConfig: given });
    expect(shown).toMatchObject({ taskId: task.id, pushNotificationConfig: config });
    const ref = { id: task.id, pushNotificationConfigId: 'mine' };
    expect(await call('get', ref)).toEqual(shown);
    expect(await call('list', { id: task.id })).toEqual([shown]);
    expect(JSON.stringify(shown)).not.toContain('a-secret');
    expect(await call('delete', ref)).toBe(null);
    expect(await call('delete', ref)).toBe(null);
    expect(await call('list', { id: task.id })).toEqual([]);
    const gone = await mount.error('tasks/pushNotificationConfig/get', ref);
    expect(gone.message).toMatch(/has no push notification config "mine"|Task not found/);
  });

  it('is refused where it leads to an address that callers may not reach, and where the server has none', async () => {
    const { peer } = await serve();
    const mount = at(path, peer);
    const pushNotificationConfig = { url: 'http://10.0.0.1/hook' };
    const configuration = { pushNotificationConfig };
    const inline = await mount.error('message/send', { message, configuration });
    expect(JSON.stringify(inline)).toContain('pushNotificationConfig.url');
    const task = await mount.call('message/send', { message });
    const alone = await mount.error('tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig });
    expect(JSON.stringify(alone)).toContain('pushNotificationConfig.url');
    const without = startServer(twoWords, { push: false, mounts: SPEAKERS_MOUNTS });
    await without.server.open();
    const off = at(path, without.peer);
    const refused = await off.error('tasks/pushNotificationConfig/list', { id: task.id });
    expect(JSON.stringify(refused)).toMatch(/push ?notification/i);
    const sent = await off.error('message/send', { message, configuration });
    expect(JSON.stringify(sent)).toMatch(/push ?notification/i);
  });
});

it('JAF has no webhooks: its card says so, its methods are unknown, and a config in a send is refused', async () => {
  const { receiver, server, peer } = await serve();
  const jaf = at('/jaf', peer);
  const card: Wire = await (await server.fetch(new Request('http://localhost/jaf/.well-known/agent-card'))).json();
  expect(card.capabilities.pushNotifications).toBe(false);
  for (const verb of ['set', 'get', 'list', 'delete']) {
    const error = await jaf.error(`tasks/pushNotificationConfig/${verb}`, { id: 'x', taskId: 'x' });
    expect(error).toMatchObject({ code: -32601, message: expect.stringContaining('Method not found') });
  }
  const configuration = { pushNotificationConfig: { url: receiver.url } };
  const error = await jaf.error('message/send', { message: OFFICIAL, configuration });
  expect(error).toMatchObject({
    code: -32601,
    message: expect.stringContaining('no push notifications'),
    data: { errorType: 'PushNotificationNotSupported' },
  });
  expect(receiver.received).toEqual([]);
  // Our client does not leave one out in silence either.
  const fetch = (input: string | URL | Request, init?: RequestInit) => server.fetch(new Request(input, init));
  const client = new A2AClient('http://localhost/jaf', { protocol: 'jaf', fetch });
  await expect(client.sendMessage('go', { pushConfig: { url: receiver.url } })).rejects.toMatchObject({
    code: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  });
});
