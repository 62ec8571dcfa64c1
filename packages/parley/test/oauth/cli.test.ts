import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { complete, start } from '../cli/support/child.ts';
import { cli, plain } from '../cli/support/in-process.ts';
import { tempFile } from '../support/temp-folder.ts';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';

/** Finds the address of the page in what the command line says. */
const pageIn = (text: string) => /^http:\S+\/authorize\?\S+$/m.exec(text)?.[0];

it('logs in by a device code, uses the token, and forgets it', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  const env = { XDG_CONFIG_HOME: tempFile('config') };
  const refused = await cli(['send', url, 'Who am I?'], { stdin: '', env });
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain(`parley login ${url}`);

  const login = start(['login', url, '--flow', 'device', '--json'], { env });
  const shown = await login.until((stdout) => /^\{.*userCode.*\}$/m.exec(stdout)?.[0], 'a code');
  const { userCode, verificationUri } = JSON.parse(shown);
  expect(verificationUri).toBe(`${issuer.url}/activate`);
  issuer.decide(userCode, true);
  expect(await login.ended).toMatchObject({ code: 0, stderr: '' });

  const folder = join(env.XDG_CONFIG_HOME, 'parley', 'tokens');
  const files = readdirSync(folder);
  expect(files).toEqual([`${encodeURIComponent(url)}.json`]);
  expect(statSync(join(folder, files[0] ?? '')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  const sent = await complete(['send', url, 'Who am I?'], '', { env });
  expect(sent).toMatchObject({ code: 0, stdout: 'You are user-of-parley\n' });
  expect(await cli(['logout', url], { env })).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual([]);
  expect(await cli(['send', url, 'Who am I?'], { stdin: '', env })).toMatchObject({ code: 4 });
});

it('logs in on a page, at an agent whose card is guarded too', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer, { card: { access: 'guarded' } });
  const env = { XDG_CONFIG_HOME: tempFile('config') };
  const login = start(['login', url, '--flow', 'page', '--json'], { env });
  const { page } = JSON.parse(await login.until((stdout) => /^\{"page".*\}$/m.exec(stdout)?.[0], 'a page'));
  expect(pageIn(page)).toBe(page);
  const answer = await fetch(page);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Thank you')]);
  expect(await login.ended).toMatchObject({ code: 0, stderr: '' });
  const sent = await complete(['send', url, 'Who am I?'], '', { env });
  expect(sent).toMatchObject({ code: 0, stdout: 'You are user-of-parley\n' });
});

it.for(['public', 'guarded'] as const)('asks in a terminal when it is needed: cards are %s', async (access) => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer, { card: { access } });
  const env = { XDG_CONFIG_HOME: tempFile('config') };
  const decided = new Set<string>();
  const onOutput = ({ stderr }: { readonly stderr: string }) => {
    const code = /type the code (CODE-\d+)/.exec(plain(stderr))?.[1];
    if (code === undefined || decided.has(code)) return;
    decided.add(code);
    issuer.decide(code, true);
  };
  const asked = await cli(['send', url, 'Who am I?'], { terminal: true, env, onOutput });
  expect(asked).toMatchObject({ code: 0, stdout: 'You are user-of-parley\n' });
  const again = await cli(['send', url, 'Who am I?'], { terminal: true, env, onOutput });
  expect(again).toMatchObject({ code: 0, stdout: 'You are user-of-parley\n' });
  expect([...decided]).toEqual(['CODE-1']);
});

it('shows a public card without a login, in a terminal too', async () => {
  const issuer = await startAuthorizationServer();
  const url = await startGuardedAgent(issuer);
  const { code, stderr } = await cli(['card', url], { terminal: true, env: { XDG_CONFIG_HOME: tempFile('config') } });
  expect([code, plain(stderr)]).toEqual([0, expect.not.stringContaining('log in')]);
});
