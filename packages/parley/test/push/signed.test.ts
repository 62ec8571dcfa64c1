import { createHash, createHmac } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { sqlite } from 'parley-a2a/sqlite';
import { expect, it } from 'vitest';
import { newPushSecret } from '../../src/push/signature/secrets.ts';
import { startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { isCompleted, type Received, startReceiver } from './receiver.ts';
import { inline, LOCAL } from './support.ts';

const echo = agentOf((task) => task.text);

/** Verifies as the document of Standard Webhooks says, without any code of ours. */
function verifies(secret: string, { headers, text }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

it('sends the token and the credentials as they are [rule:push.authorization] [rule:push.token]', async () => {
  const [both, scheme] = [await startReceiver(), await startReceiver()];
  const { peer } = startServer(echo, { push: LOCAL });
  const authentication = { scheme: 'Bearer', credentials: 'a.b c' };
  await peer.send('hello', {}, inline({ url: both.url, token: 'tok', authentication }));
  await peer.send('hello', {}, inline({ url: scheme.url, authentication: { scheme: 'Bearer' } }));
  await Promise.all([both.untilBody(isCompleted), scheme.untilBody(isCompleted)]);
  expect(both.accepted[0]?.headers).toMatchObject({ authorization: 'Bearer a.b c', 'x-a2a-notification-token': 'tok' });
  expect(scheme.accepted[0]?.headers).not.toHaveProperty('authorization');
  expect(scheme.accepted[0]?.headers).not.toHaveProperty('x-a2a-notification-token');
});

it('signs with the secret of the config, which it never sends, or with the operator’s', async () => {
  const [own, operator, older] = [newPushSecret(), newPushSecret(), newPushSecret()];
  const [first, second] = [await startReceiver(), await startReceiver()];
  const { peer } = startServer(echo, { push: { ...LOCAL, secret: [operator, older] } });
  await peer.send('hello', {}, inline({ url: first.url, token: own }));
  await peer.send('hello', {}, inline({ url: second.url, token: 'plain' }));
  await Promise.all([first.untilBody(isCompleted), second.untilBody(isCompleted)]);
  for (const received of first.accepted) {
    expect(verifies(own, received)).toBe(true);
    expect(verifies(operator, received)).toBe(false);
    expect(JSON.stringify(received)).not.toContain(own);
  }
  for (const received of second.accepted) {
    expect([operator, older, own].map((secret) => verifies(secret, received))).toEqual([true, true, false]);
  }
});

it('signs with a key of its own, which lasts, and which the card and the JWKS show', async () => {
  const file = tempFile();
  const shown: Wire[] = [];
  for (let round = 0; round < 2; round += 1) {
    const receiver = await startReceiver();
    const push = { ...LOCAL, jwt: true };
    const { server, peer } = startServer(echo, { push, store: sqlite(file), url: 'http://localhost' });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    const extension = card.capabilities.extensions.find(({ uri }: Wire) => uri === 'urn:parley:ext:push:v1');
    expect(extension.params).toEqual({
      publicKeys: [expect.stringMatching(/^whpk_/)],
      jwksUrl: 'http://localhost/.well-known/jwks.json',
    });
    const jwks: Wire = await (await peer.raw('/.well-known/jwks.json')).json();
    const [last] = receiver.accepted.slice(-1);
    const { payload } = await jwtVerify(String(last?.headers['x-a2a-notification-jwt']), createLocalJWKSet(jwks));
    expect(payload).toMatchObject({
      iss: 'http://localhost/.well-known/agent-card.json',
      aud: receiver.url,
      jti: last?.headers['webhook-id'],
      sha256: createHash('sha256')
        .update(last?.text ?? '')
        .digest('hex'),
    });
    expect(last?.headers['webhook-signature']).toMatch(/^v1a,/);
    shown.push(extension.params.publicKeys);
    await server.close();
  }
  expect(shown[0]).toEqual(shown[1]);
});

it.each([
  [{ secret: 'short' }, 'push.secret'],
  [{ signingKey: 'whsk_x' }, 'push.signingKey'],
  [{ jwt: true }, 'push.jwt needs the setting url'],
  [{ events: 'some' }, 'push.events is changes or all'],
  [{ retry: { jitter: -1 } }, 'push.retry.jitter'],
  [{ retry: { delay: 1 } }, 'There is no option push.retry.delay; there are firstDelay, '],
  [{ concurrency: { total: 0 } }, 'push.concurrency.total'],
  [{ allow: ['nonsense/99'] }, 'push.allow'],
  [{ alow: [] }, 'There is no option push.alow; did you mean push.allow?'],
])('refuses settings that are none: %o', (push, problem) => {
  expect(() => startServer(echo, { push: push as never })).toThrow(problem);
});
