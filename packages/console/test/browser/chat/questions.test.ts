import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { asker } from '../../chat/agents.ts';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

describeInBrowser('answering what an agent asks', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: [asker] });
  });
  afterAll(() => served.close());

  const ask = async (page: Page, kind: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(kind);
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /The agent|May the agent/ })
      .first()
      .waitFor();
  };
  const answer = (page: Page) => page.getByRole('group', { name: 'Answer' }).innerText();
  const ended = (page: Page) => page.getByText('completed').waitFor();

  it('chooses', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'choice');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rather large' }).click();
    await ended(page);
    expect(await answer(page)).toContain('size l');
    // The question stands before its answer, after a reload too.
    const order = /choice.*Which size\?.*\bYou\s+l\s.*size l/s;
    expect(await page.getByRole('log').innerText()).toMatch(order);
    await page.reload();
    await ended(page);
    expect(await page.getByRole('log').innerText()).toMatch(order);
  });

  it('fills in a form that is made from the schema, after a reload of the page too', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`, { width: 'phone', theme: 'dark' });
    await ask(page, 'schema');
    await page.reload();
    await page.getByLabel('item').fill('cake');
    await page.getByLabel('count').fill('0');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('0 is less than 1.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('count').fill('3');
    await page.getByRole('button', { name: 'Add one' }).click();
    await page.getByRole('textbox', { name: /^extras/ }).fill('cream');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await ended(page);
    expect(await answer(page)).toContain('order 3 cake with cream');
  });

  it('hides a secret, and keeps none of it', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'secret');
    expect(await page.getByRole('textbox', { name: 'Message' }).isDisabled()).toBe(true);
    const field = page.getByLabel('Answer', { exact: true });
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('tops3cret');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await ended(page);
    expect(await answer(page)).toContain('a secret of 9 letters');
    expect(await page.content()).not.toContain('tops3cret');
    const stored = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage));
    expect(stored).not.toContain('tops3cret');
  });

  it('approves or refuses a tool, whose arguments are shown', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'approval');
    await page.getByRole('heading', { name: 'May the agent use remove?' }).waitFor();
    expect(await page.getByRole('figure', { name: 'Arguments' }).innerText()).toContain('/etc/motd');
    await page.getByRole('button', { name: 'refuse' }).click();
    await ended(page);
    expect(await answer(page)).toContain('verdict refuse');
  });

  it('answers several questions one by one, in any order', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'several');
    await page.getByRole('spinbutton').fill('12');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await expect.poll(() => page.getByRole('spinbutton').count()).toBe(0);
    await page.getByRole('button', { name: 'pie' }).click();
    await ended(page);
    expect(await answer(page)).toContain('pie for 12');
  });

  it('gives an authorization', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'auth');
    expect(await page.getByRole('link', { name: 'https://crm.example.com/' }).first().getAttribute('rel')).toContain(
      'noopener',
    );
    await page.getByLabel('Credential').fill('abc');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await ended(page);
    expect(await answer(page)).toContain('a credential of 3 letters');
  });

  it('answers in words, by the keyboard', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/asker`);
    await ask(page, 'words');
    await page.getByRole('textbox', { name: 'Message' }).fill('Ada');
    await page.keyboard.press('Enter');
    await ended(page);
    expect(await answer(page)).toContain('Hello, Ada!');
  });
});
