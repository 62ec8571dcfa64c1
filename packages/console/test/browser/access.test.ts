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

  it('asks again when the credential expires, and goes on where the person was', async ({ visit }) => {
    const known = new Set(['first', 'second']);
    const validate = (token: string) =>
      known.has(token) ? { subject: 'boss', scopes: ['parley:operator'] } : undefined;
    await using served = await serveConsole({ agents, auth: { type: 'bearer', validate } });
    const page = await visit(`${served.url}/console/tasks`, { expectedErrors: ['401'] });
    const signIn = async (token: string) => {
      await page.getByLabel('Token', { exact: true }).fill(token);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'hidden' });
    };
    await signIn('first');
    await page.getByText('No tasks yet').waitFor();
    // The list asks by itself: nobody has to touch anything.
    known.delete('first');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('alert').filter({ visible: true }).waitFor();
    await signIn('second');
    await page.getByText('No tasks yet').waitFor();
    await page.goto(`${served.url}/console/talk/lab`);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('chunk 2');
    known.delete('second');
    known.add('third');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn('third');
    // What could not be sent is still there.
    await page.getByRole('log').getByText('chunk 2').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('completed').waitFor();
    expect(await page.getByRole('log').getByRole('article').count()).toBe(1);
    await page.close();
  });

  it('forgets all of the person who signs out', async ({ visit }) => {
    const validate = (token: string) =>
      token === 'boss' ? { subject: token, scopes: ['parley:operator'] } : undefined;
    await using served = await serveConsole({ agents, auth: { type: 'bearer', validate } });
    const page = await visit(`${served.url}/console/talk/lab`, { expectedErrors: ['401'] });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.getByLabel('Token', { exact: true }).fill('boss');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Message' }).fill('For my eyes alone');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toBe('{}');
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
