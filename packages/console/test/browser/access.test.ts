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
});
