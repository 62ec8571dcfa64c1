import { A2AClient } from 'parley-a2a';
import { authorizationCode, deviceCode, oauth } from 'parley-a2a/oauth';
import { loopback } from 'parley-a2a/oauth/node';
import { expect, it } from 'vitest';
import { startAuthorizationServer, type TestAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';

/** The grants that were asked for. */
function grantsOf({ asked }: TestAuthorizationServer): readonly (string | null)[] {
  return asked.filter(({ path }) => path === '/token').map(({ form }) => form.get('grant_type'));
}

it('a program with a secret gets a token from the card alone, once', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  const credentials = oauth({ clientId: 'machine', clientSecret: 'hush:hush', issuer: issuer.url });
  const agent = await A2AClient.connect(url, { credentials });
  expect(await agent.run('Who am I?')).toBe('You are user-of-machine');
  expect(await agent.run('And now?')).toBe('You are user-of-machine');
  expect(grantsOf(issuer)).toEqual(['client_credentials']);
});

it('a person allows it on another device', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  const shown: string[] = [];
  const flow = deviceCode({
    onCode: ({ userCode, verificationUri }) => {
      shown.push(`${verificationUri} ${userCode}`);
      issuer.decide(userCode, true);
    },
  });
  const agent = await A2AClient.connect(url, { credentials: oauth({ clientId: 'public', flow }) });
  expect(await agent.run('Who am I?')).toBe('You are user-of-public');
  expect(shown).toEqual([`${issuer.url}/activate CODE-1`]);
});

it('a person allows it on a page, whose answer comes back to this machine', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  const flow = authorizationCode(loopback({ open: async (page) => void (await fetch(page)) }));
  const agent = await A2AClient.connect(url, { credentials: oauth({ clientId: 'public', flow }) });
  expect(await agent.run('Who am I?')).toBe('You are user-of-public');
  expect(grantsOf(issuer)).toEqual(['authorization_code']);
});

it('a guarded card is read with a token', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer, { card: { access: 'guarded' } });
  const flow = authorizationCode(loopback({ open: async (page) => void (await fetch(page)) }));
  const agent = await A2AClient.connect(url, { credentials: oauth({ clientId: 'public', flow }) });
  expect(await agent.run('Who am I?')).toBe('You are user-of-public');
});
