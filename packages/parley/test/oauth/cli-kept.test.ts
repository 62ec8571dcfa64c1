import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../cli/support/in-process.ts';
import { tempFile } from '../support/temp-folder.ts';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';

/** A folder with a login at the agent, got on a page. */
async function loggedIn(
  url: string,
  env = { XDG_CONFIG_HOME: tempFile('config') },
  args: readonly string[] = [],
): Promise<{ env: { XDG_CONFIG_HOME: string }; file: string }> {
  let isVisited = false;
  const onOutput = ({ stdout }: { readonly stdout: string }) => {
    const page = /"page":("[^"]+")/.exec(stdout)?.[1];
    if (page === undefined || isVisited) return;
    isVisited = true;
    void fetch(JSON.parse(page));
  };
  const login = await cli(['login', url, '--json', '--flow', 'page', ...args], { env, onOutput });
  expect(login).toMatchObject({ code: 0 });
  return { env, file: join(env.XDG_CONFIG_HOME, 'parley', 'tokens', `${encodeURIComponent(url)}.json`) };
}

/** Changes the login that is kept. */
function alter(file: string, change: (grant: Record<string, unknown>) => object): void {
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...kept, grants: kept.grants.map(change) }));
}

describe('a login that is kept', () => {
  it('is renewed when it is due, and kept again for its owner alone', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    alter(file, (grant) => ({ ...grant, accessToken: 'void', renewAt: 0 }));
    expect(await cli(['send', url, 'Who am I?'], { env })).toMatchObject({
      code: 0,
      stdout: 'You are user-of-parley\n',
    });
    expect(issuer.asked.at(-1)?.form.get('grant_type')).toBe('refresh_token');
    expect(JSON.parse(readFileSync(file, 'utf8')).grants[0].renewAt).toBeGreaterThan(Date.now());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    // The server may refuse a token before its time.
    alter(file, (grant) => ({ ...grant, accessToken: 'void' }));
    expect(await cli(['send', url, 'Who am I?'], { env })).toMatchObject({ code: 0 });
  });

  it('is renewed once by commands that run at the same time', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    alter(file, (grant) => ({ ...grant, accessToken: 'void', renewAt: 0 }));
    const sent = await Promise.all([1, 2, 3].map(() => cli(['send', url, 'Who am I?'], { env, stdin: '' })));
    expect(sent.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(issuer.asked.filter(({ form }) => form.get('grant_type') === 'refresh_token')).toHaveLength(1);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    // A lock whose process has died is no hindrance.
    alter(file, (grant) => ({ ...grant, renewAt: 0 }));
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, 0, 0);
    expect(await cli(['send', url, 'Who am I?'], { env, stdin: '' })).toMatchObject({ code: 0 });
  });

  it('makes way for another one, whatever was kept before', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    alter(file, (grant) => ({ ...grant, accessToken: 'void', refreshToken: 'void' }));
    await loggedIn(url, env);
    expect(await cli(['send', url, 'Who am I?'], { env, stdin: '' })).toMatchObject({
      stdout: 'You are user-of-parley\n',
    });
    await loggedIn(url, env, ['--client-id', 'other', '--scope', 'a', '--scope', 'b']);
    expect(issuer.asked.find(({ form }) => form.get('client_id') === 'other')?.form.get('scope')).toBe(
      'a b offline_access',
    );
    expect(await cli(['send', url, 'Who am I?'], { env, stdin: '' })).toMatchObject({
      stdout: 'You are user-of-other\n',
    });
    writeFileSync(file, 'not ours');
    await loggedIn(url, env);
    expect(await cli(['send', url, 'Who am I?'], { env, stdin: '' })).toMatchObject({
      stdout: 'You are user-of-parley\n',
    });
  });

  it('that cannot be renewed leads to another login', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    issuer.revoke();
    alter(file, (grant) => ({ ...grant, renewAt: 0 }));
    const { code, stderr } = await cli(['send', url, 'Who am I?'], { env, stdin: '' });
    expect([code, stderr]).toEqual([4, expect.stringContaining(`parley login ${url}`)]);
  });

  it('is for its own origin alone', async () => {
    const issuer = await startAuthorizationServer();
    const [url, other] = [await startGuardedAgent(issuer), await startGuardedAgent(issuer)];
    const { env } = await loggedIn(url);
    expect(await cli(['send', other, 'Who am I?'], { env, stdin: '' })).toMatchObject({ code: 4, stdout: '' });
    expect(await cli(['logout', other], { env })).toMatchObject({ code: 0 });
    expect(await cli(['send', url, 'Who am I?'], { env })).toMatchObject({ code: 0 });
  });

  it('gives way to --token, PARLEY_TOKEN and --header', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env } = await loggedIn(url);
    const mine = 'mine-and-not-that-of-the-login';
    for (const [args, more] of [
      [['--token', mine], {}],
      [[], { PARLEY_TOKEN: mine }],
      [['--header', `Authorization: Bearer ${mine}`], {}],
    ] as const) {
      expect(await cli(['send', url, 'Who am I?', ...args], { env: { ...env, ...more }, stdin: '' })).toMatchObject({
        code: 4,
      });
    }
  });

  it('is not shown by errors, even where the server repeats it', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    const { accessToken, refreshToken } = JSON.parse(readFileSync(file, 'utf8')).grants[0];
    alter(file, (grant) => ({ ...grant, renewAt: 0 }));
    issuer.answers.set('/token', (_request, response) => {
      const error_description = `${refreshToken} and ${accessToken.slice(0, 100)} are \u001b[31mwrong`;
      response
        .writeHead(503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'x', error_description }));
    });
    const { code, stderr } = await cli(['send', url, 'Who am I?'], { env, stdin: '' });
    expect([code, stderr]).toEqual([4, expect.stringContaining('***')]);
    expect(stderr).not.toContain(refreshToken);
    expect(stderr).not.toContain('\u001b');
  });

  it('that cannot be read is told with its file, and removed by logout', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const { env, file } = await loggedIn(url);
    for (const text of ['', '{', '[]', '{"origin":"x","grants":[]}', JSON.stringify({ origin: url, grants: [{}] })]) {
      writeFileSync(file, text);
      const { code, stderr } = await cli(['send', url, 'Who am I?'], { env, stdin: '' });
      expect([code, stderr]).toEqual([
        4,
        expect.stringContaining(`${file} cannot be read; parley logout ${url} removes it`),
      ]);
    }
    expect(await cli(['logout', url], { env })).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
  });
});
