import { custom } from 'parley-a2a/auth';
import { expect } from 'vitest';
import { agents } from '../../../../examples/agents/index.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

describeInBrowser('a console behind credentials', () => {
  it('asks for those of an operator, keeps them for the window, and sends them along', async ({ visit }) => {
    await using served = await serveConsole({
      agents,
      auth: {
        type: 'bearer',
        validate: (token) => ({ subject: token, scopes: token === 'boss' ? ['parley:operator'] : [] }),
      },
    });
    const page = await visit(`${served.url}/console/`, { theme: 'dark', expectedErrors: ['401', '403'] });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Token', { exact: true }).fill('guest');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Token', { exact: true }).fill('boss');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Talk to lab' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('file a.txt text/plain uno');
    await page.keyboard.press('Enter');
    await page.getByText('completed').waitFor();
    await page.reload();
    await page.getByText('completed').waitFor();
    // Before its server goes: a request that is refused then would count as a fault of the page.
    await page.close();
  });

  it('asks for an API key, by the name of its header, where the server takes nothing else', async ({ visit }) => {
    const auth = custom(
      ({ token }) => (token === 'boss-key' ? { subject: 'boss', scopes: ['parley:operator'] } : undefined),
      { scheme: { type: 'apiKey', in: 'header', name: 'X-Team-Key' } },
    );
    await using served = await serveConsole({ agents, auth: [auth] });
    const page = await visit(`${served.url}/console/`, { expectedErrors: ['401'] });
    expect(await page.getByLabel('Header').inputValue()).toBe('X-Team-Key');
    await page.getByLabel('Key', { exact: true }).fill('boss-key');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Talk to lab' }).waitFor();
    await page.close();
  });
});
