import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { agents } from '../../../../examples/agents/index.ts';
import { gallery } from '../chat/agents.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

describeInBrowser('the agents of a server', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    served = await serveConsole({ agents: { ...agents, gallery }, card: { sign: { key: privateKey, kid: 'k1' } } });
  });
  afterAll(() => served.close());

  it('are listed and searched; each leads to its card', async ({ visit }) => {
    const page = await visit(`${served.url}/console/`);
    const tiles = page.getByRole('main').getByRole('article');
    await expect.poll(() => tiles.count()).toBe(5);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Search').fill('sales report');
    await expect.poll(() => tiles.count()).toBe(1);
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No agent is like that').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByRole('link', { name: 'Card and skills of reporter' }).click();
    await page.getByRole('heading', { name: 'reporter' }).waitFor();
  });

  it('show their cards in words and raw, checked and with their signature', async ({ visit }) => {
    const page = await visit(`${served.url}/console/agents/gallery`, { theme: 'dark' });
    await page.getByText('valid card').waitFor();
    await page.getByText('signature verified').waitFor();
    await page.getByRole('tab', { name: 'Card' }).click();
    await page.getByText('JSONRPC 1.0').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Raw' }).click();
    const raw = await page.getByRole('region', { name: 'Card as published' }).textContent();
    expect(JSON.parse(raw ?? '')).toMatchObject({ name: 'gallery' });
  });

  it('have the problems of their cards and a signature that does not hold told', async ({ visit }) => {
    const page = await visit(`${served.url}/console/`);
    await page.route('**/a2a/agents/gallery/**/agent-card.json', async (route) => {
      const response = await route.fetch();
      const { version: _, ...card } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...card, description: 'Changed on the way' } });
    });
    await page.goto(`${served.url}/console/agents/gallery`);
    await page.getByText('bad signature').waitFor();
    expect(await page.getByRole('list', { name: 'Problems of the card' }).innerText()).toContain('version is missing');
  });

  it('have skills with forms that send what was filled in', async ({ visit }) => {
    const page = await visit(`${served.url}/console/agents/gallery`, { width: 'phone' });
    await page.getByRole('button', { name: 'Try it' }).nth(1).click();
    await page.getByRole('button', { name: 'Send to Order' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await page.getByLabel('item').fill('cake');
    await page.getByLabel('count').fill('2');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send to Order' }).click();
    await page.getByText('completed').waitFor();
    expect(await page.getByRole('group', { name: 'Answer' }).innerText()).toContain('ordered');
    expect(new URL(page.url()).pathname).toBe('/console/talk/gallery');
  });

  it('may be those of another server, by their address', async ({ visit }) => {
    await using other = await serveConsole({ agents: [gallery], console: false });
    const page = await visit(`${served.url}/console/`);
    await page.getByLabel('Open an outside agent').fill('no address');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('That is not an http(s) address.').waitFor();
    await page.getByLabel('Open an outside agent').fill(other.url);
    await page.keyboard.press('Enter');
    await page.getByText('valid card').waitFor();
    await page.getByRole('link', { name: 'Talk', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Show me');
    await page.keyboard.press('Enter');
    await page.getByText('completed').waitFor();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    // Before its server goes: a request that is refused then would count as a fault of the page.
    await page.close();
  });

  it('are jumped to by the keyboard alone', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('An agent, a page').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.type('talk gall');
    await page.getByRole('option', { name: 'Talk to gallery' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Talk to gallery' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('keep the theme that was chosen, and say where a page is missing', async ({ visit }) => {
    const page = await visit(`${served.url}/console/no-such-page`);
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('button', { name: /Switch to light/ }).click();
    await page.getByRole('button', { name: /Switch to dark/ }).click();
    await page.reload();
    await page.getByText('There is no such page').waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByRole('link', { name: 'See the agents' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
  });
});
