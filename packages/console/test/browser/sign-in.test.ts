import { A2AServer, defineAgent } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startAuthorizationServer } from '../../../parley/test/oauth/support/authorization-server.ts';
import { startGuardedAgent } from '../../../parley/test/oauth/support/guarded-agent.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

const QUIET = { error: () => undefined, warn: () => undefined };
const hello = defineAgent({ name: 'hello', description: 'Says hello', version: '1.0.0', run: () => 'Hello' });
const ERRORS = { expectedErrors: ['401', '400'] };

describeInBrowser('a person who is asked who calls, in the console', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole();
  });
  afterAll(() => served.close());

  const settings = (agent: string) => `${served.url}/console/wire?view=access&agent=${encodeURIComponent(agent)}`;
  const isIn = async (page: Page) => {
    await page.getByText('given', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('let in').waitFor();
    // Nothing that was given is anywhere but in the memory of the page.
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage, document.cookie]))).toBe(
      '[{},{},""]',
    );
    await page
      .getByText(/stays in the memory of this page/)
      .first()
      .waitFor();
  };

  it('logs in on a page of the authorization server, which comes back to the console', async ({ visit }) => {
    const issuer = await startAuthorizationServer();
    const agent = await startGuardedAgent(issuer, { log: QUIET });
    const page = await visit(settings(agent), { ...ERRORS, visited: [issuer.url] });
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/refused a request with 401/).waitFor();
    await page.getByLabel('How').selectOption('page');
    await page.getByRole('button', { name: 'Log in' }).click();
    const link = page.getByRole('link', { name: `Log in at ${issuer.url}` });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await findBarriers(page)).toEqual([]);
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await other.getByText('You may close this window').waitFor();
    expect(other.url()).toBe(`${served.url}/console/callback`);
    expect(await findBarriers(other)).toEqual([]);
    await other.close();
    await isIn(page);
    // The wire shows the exchange of the code, and nothing that others could use.
    await page.getByRole('tab', { name: 'Traffic' }).click();
    await page.getByRole('button', { name: /\/token/ }).click();
    await page.getByText('"access_token": "***"').waitFor();
    // A reload forgets it.
    await page.goto(settings(agent));
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/refused a request with 401/).waitFor();
  });

  it('logs in by a code that is typed on another page', async ({ visit }) => {
    const issuer = await startAuthorizationServer();
    const agent = await startGuardedAgent(issuer, { log: QUIET });
    const page = await visit(settings(agent), ERRORS);
    await page.getByLabel('How').selectOption('device');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('CODE-1').waitFor();
    issuer.decide('CODE-1', true);
    await isIn(page);
  });

  it('gets a token with the id and secret of a program, sent to a server that the person names', async ({ visit }) => {
    const issuer = await startAuthorizationServer();
    const agent = await startGuardedAgent(issuer, { log: QUIET });
    const page = await visit(settings(agent), ERRORS);
    await page.getByLabel('How').selectOption('program');
    await page.getByLabel('Client id').fill('machine');
    await page.getByLabel('Client secret').fill('hush:hush');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page
      .getByRole('alert')
      .getByText(/The secret is not sent to .*, which only the agent names/)
      .waitFor();
    await page.getByLabel('Authorization server').fill(issuer.url);
    await page.getByRole('button', { name: 'Log in' }).click();
    await isIn(page);
    // A check goes with the same token.
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'send.wrapped' }).filter({ hasText: 'PASS' }).waitFor();
  });

  it('says that a login was refused, and that nobody waits for an answer', async ({ visit }) => {
    const issuer = await startAuthorizationServer();
    const agent = await startGuardedAgent(issuer, { log: QUIET });
    const page = await visit(settings(agent), ERRORS);
    await page.getByLabel('How').selectOption('device');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('CODE-1').waitFor();
    issuer.decide('CODE-1', false);
    await page.getByRole('alert').getByText('The person did not allow it').waitFor();
    await page.goto(`${served.url}/console/callback?code=x&state=y`);
    await page.getByText('Nobody waits for this answer').waitFor();
  });

  it('takes a key, a token, or the id and secret of a program for the address on the card, by hand', async ({
    visit,
  }) => {
    const issuer = await startAuthorizationServer();
    // Where a card names the address for tokens, nobody asks what they are for.
    issuer.answers.set('/plain-token', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'token-of-a-program', token_type: 'Bearer', expires_in: 60 }));
    });
    const clientCredentials = { tokenUrl: `${issuer.url}/plain-token`, scopes: {} };
    const schemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Team-Key' },
      bearer: { type: 'http', scheme: 'Bearer' },
      program: { type: 'oauth2', flows: { clientCredentials } },
    } as const;
    const page = await visit(`${served.url}/console/wire`, ERRORS);
    const inputs = {
      key: { 'Token or key': 'key-by-hand' },
      bearer: { 'Token or key': 'token-by-hand' },
      program: { 'Client id': 'machine', 'Client secret': 'hush' },
    } as const;
    const known = ['key-by-hand', 'token-by-hand', 'token-of-a-program'];
    for (const name of ['key', 'bearer', 'program'] as const) {
      const auth = custom(({ token }) => (token && known.includes(token) ? { subject: token } : undefined), {
        scheme: schemes[name],
      });
      const server = new A2AServer({ agents: [hello], auth: [auth], log: QUIET });
      onTestFinished(() => server.close());
      await server.listen({ port: 0 });
      await page.goto(settings(server.url ?? ''));
      if (name === 'program') await page.getByLabel('How').selectOption('client');
      for (const [label, value] of Object.entries(inputs[name])) await page.getByLabel(label).fill(value);
      await page.getByRole('button', { name: 'Use it' }).click();
      await isIn(page);
    }
  });
});
