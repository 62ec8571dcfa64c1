import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { cli } from '../cli/support/in-process.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { startAuthorizationServer } from './support/authorization-server.ts';
import { startGuardedAgent } from './support/guarded-agent.ts';

/** An address at which nothing listens. */
async function emptyAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('a login that fails', () => {
  it.for([
    ['access_denied', 'Not today\u001b]0;owned\u0007', 'The person did not allow it'],
    ['server_error', 'bad\u001b[2J\nparley: all is well', 'server_error: bad [2J parley: all is well'],
  ] as const)('says why, in words that a terminal may get: %s', async ([error, error_description, said]) => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    issuer.answers.set('/token', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error, error_description }));
    });
    const env = { XDG_CONFIG_HOME: tempFile('config') };
    const { code, stdout, stderr } = await cli(['login', url], { env });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr.split('\n').at(-2)).toContain(`parley: You cannot log in at ${url}: `);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('\u001b');
    expect(existsSync(env.XDG_CONFIG_HOME)).toBe(false);
  });

  it('cleans the code and the page that a server gives', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    issuer.answers.set('/device', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          ...{ device_code: 'd', user_code: 'A\u001b[2J\u0007\u202eB', expires_in: 1, interval: 1 },
          verification_uri: `${issuer.url}/\u001b[2J\u202e?\u0007`,
        }),
      );
    });
    const { code, stderr } = await cli(['login', url], { env: { XDG_CONFIG_HOME: tempFile('config') } });
    expect(code).toBe(4);
    expect(stderr).toContain('type the code A␛[2J␇\ufffdB');
    for (const sign of ['\u0007', '\u001b', '\u202e']) expect(stderr).not.toContain(sign);
  });

  it('is told where nobody asks for it, where there is no folder, and where the flow is unknown', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const open = await startServer(agentOf(() => 'x')).server.listen({ port: 0 });
    const env = { XDG_CONFIG_HOME: tempFile('config') };
    for (const [args, exit, said, where] of [
      [[open.url ?? ''], 4, 'Nobody is known who gives tokens for', env],
      [[url, '--flow', 'dance'], 2, '--flow must be one of page, device', env],
      [[url, '--issuer', 'https://login.example'], 4, 'takes no tokens of https://login.example', env],
      [[`${url}/nowhere`, '--protocol', '9'], 2, '--protocol', env],
      [[await emptyAddress()], 3, 'nothing listens there', env],
      [[url], 1, 'set XDG_CONFIG_HOME', {}],
    ] as const) {
      const onOutput = ({ stderr: shown }: { readonly stderr: string }) => {
        const userCode = /type the code (CODE-\d+)/.exec(shown)?.[1];
        if (userCode !== undefined) issuer.decide(userCode, true);
      };
      const { code, stderr } = await cli(['login', ...args], { env: where, onOutput });
      expect([code, stderr]).toEqual([exit, expect.stringContaining(said)]);
    }
  });

  it('ends with Ctrl-C', async () => {
    const issuer = await startAuthorizationServer();
    const url = await startGuardedAgent(issuer);
    const env = { XDG_CONFIG_HOME: tempFile('config') };
    const { code } = await cli(['login', url, '--json'], { env, interruptAt: 'userCode' });
    expect(code).toBe(130);
    const page = await cli(['login', url, '--json', '--flow', 'page'], { env, interruptAt: '"page"' });
    expect(page.code).toBe(130);
  });
});
