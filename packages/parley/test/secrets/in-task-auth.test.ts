import { authRequired, isA2AError, text } from 'parley-a2a';
import { taskAuthOf } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const SECRET = 'tok-5up3r-s3cr3t';

/** Waits for a credential in its run, and says only how long it is. */
const waiting = () =>
  agentOf(async (task) => {
    const { text: token, data } = await task.requireAuth({
      schemes: ['oauth2'],
      scopes: ['crm:read'],
      url: 'https://x.y',
    });
    return `got ${token.length} ${data === undefined ? 'text' : Object.keys(data as object).join()}`;
  });

/** Ends its turn with the need, and gets the credential as the message of the next. */
const ending = () =>
  agentOf((task) => {
    if (task.previousStatus?.state !== 'auth-required') return authRequired('Sign in', { schemes: ['bearer'] });
    return `${task.text === SECRET ? 'right' : 'wrong'} after ${task.history.length}`;
  });

describe.each([
  ['a run that waits', waiting],
  ['a turn that has ended', ending],
])('%s', (_name, make) => {
  it('goes on with the credential, which nobody is shown', async () => {
    const { peer, logged } = startServer(make());
    const asked = await peer.send('go');
    expect(asked.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    const watching = await peer.open('SubscribeToTask', { id: asked.id });
    const frames = watching.rest();
    const metadata = { hint: SECRET };
    const done = await peer.send(SECRET, { taskId: asked.id, metadata });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.artifacts[0].parts[0].text).toMatch(/right|got 16/);
    const got = await peer.call('GetTask', { id: asked.id });
    const listed = await peer.call('ListTasks', { includeArtifacts: true, historyLength: 100 });
    const shown = JSON.stringify([done, got, listed, await frames, logged]);
    expect(shown).toContain('go');
    expect(shown).not.toContain(SECRET);
    expect(got.history.map(({ role }: Wire) => role)).toEqual(['ROLE_USER', 'ROLE_AGENT']);
  });

  it('goes on with a credential that came out of band', async () => {
    const { peer, server } = startServer(make());
    const { id } = await peer.send('go');
    await server.authorizeTask(id, SECRET);
    await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.stringify(await peer.call('GetTask', { id }))).not.toContain(SECRET);
    await expect(server.authorizeTask(id, SECRET)).rejects.toSatisfy(
      (error: unknown) => isA2AError(error) && error.code === 'UNSUPPORTED_OPERATION',
    );
    await expect(server.authorizeTask('no-such-task', SECRET)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});

it('names what is needed for people and for programs', async () => {
  const { peer } = startServer(waiting());
  const { status } = await peer.send('go');
  expect(status.message.parts[0].text).toBe('An authorization is needed: oauth2 with crm:read. Give it at https://x.y');
  const info = taskAuthOf({ ...status.message, role: 'agent' });
  expect(info).toEqual({ schemes: ['oauth2'], scopes: ['crm:read'], url: 'https://x.y' });
});

it('takes the need as one object, or as a message with details', async () => {
  const agent = agentOf((task) =>
    task.text === 'object'
      ? authRequired({ message: [text('Sign in')], schemes: [{ type: 'mutualTLS' }], url: 'https://x.y' })
      : authRequired([text('Sign in')], { scopes: ['a'] }),
  );
  const { peer } = startServer(agent);
  const seen = await Promise.all(['object', 'details'].map((words) => peer.send(words)));
  const infos = seen.map(({ status }) => taskAuthOf({ ...status.message, role: 'agent' }));
  expect(infos).toEqual([{ schemes: [{ type: 'mutualTLS' }], url: 'https://x.y' }, { scopes: ['a'] }]);
  expect(seen.map(({ status }) => status.message.parts[0].text)).toEqual(['Sign in', 'Sign in']);
});

it('takes data as a credential', async () => {
  const { peer, server } = startServer(waiting());
  const { id } = await peer.send('go');
  await server.authorizeTask(id, { access_token: SECRET });
  const written = async () => (await peer.call('GetTask', { id })).artifacts?.[0]?.parts[0].text;
  await eventually(written).toBe('got 0 access_token');
});

it('hides two credentials that come at once, though only one of them is awaited', async () => {
  const { peer } = startServer(
    agentOf(async (task) => {
      await task.requireAuth();
      await task.ask('More?');
      return 'done';
    }),
  );
  const { id } = await peer.send('go');
  const configuration = { returnImmediately: true };
  await Promise.all(
    ['one', 'two'].map((word) =>
      peer.call('SendMessage', sendParams(`${SECRET} ${word}`, { taskId: id }, configuration)),
    ),
  );
  const task = await peer.call('GetTask', { id });
  expect(JSON.stringify(task)).not.toContain(SECRET);
});
