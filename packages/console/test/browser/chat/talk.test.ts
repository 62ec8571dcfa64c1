import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { agents } from '../../../../../examples/agents/index.ts';
import { gallery } from '../../chat/agents.ts';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

async function say(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
}

const entries = (page: Page) => page.getByRole('log').getByRole('article');

describeInBrowser('talking to an agent', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: { ...agents, gallery } });
  });
  afterAll(() => served.close());

  it('shows Markdown, tables, code in colours, pictures, data and files, several artifacts side by side', async ({
    visit,
  }) => {
    const page = await visit(`${served.url}/console/talk/gallery`);
    await say(page, 'Show me');
    await page.getByText('completed').waitFor();
    const log = page.getByRole('log');
    await log.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(await log.getByRole('row').count()).toBe(3);
    expect(await log.getByText('<b>Raw HTML stays text.</b>').count()).toBe(1);
    await log.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
    await log.getByRole('img', { name: 'pixel.png' }).waitFor();
    expect(await log.getByText('regions').count()).toBe(1);
    const boxes = await Promise.all(
      ['picture', 'figures'].map((name) => log.getByRole('group', { name, exact: true }).boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(2);
    const saved = page.waitForEvent('download');
    await log.getByRole('link', { name: 'Save' }).nth(1).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('_figures.csv');
    expect(await text(await download.createReadStream())).toBe('a;b\n1;2\n');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('goes on with the conversation, and finds all of it again after a reload', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/lab`);
    await say(page, 'file one.txt text/plain uno');
    await entries(page).first().getByText('completed').waitFor();
    const context = new URL(page.url()).searchParams.get('context');
    await say(page, 'file two.txt text/plain due');
    await entries(page).nth(1).getByText('completed').waitFor();
    expect(new URL(page.url()).searchParams.get('context')).toBe(context);
    await page.reload();
    await entries(page).nth(1).getByText('completed').waitFor();
    expect(await entries(page).first().innerText()).toContain('uno');
    expect(await entries(page).nth(1).innerText()).toContain('due');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Say something to lab').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('keeps what is written and not sent over a reload, for its agent alone, until it is sent', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/lab`);
    const input = page.getByRole('textbox', { name: 'Message' });
    await input.fill('file half.txt text/plain thought');
    await page.reload();
    await expect.poll(() => input.inputValue()).toBe('file half.txt text/plain thought');
    await page.goto(`${served.url}/console/talk/echo`);
    expect(await input.inputValue()).toBe('');
    await page.goto(`${served.url}/console/talk/lab`);
    expect(await input.inputValue()).toBe('file half.txt text/plain thought');
    await input.press('Enter');
    await page.getByText('completed').waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toBe('{}');
    await page.reload();
    await page.getByText('completed').waitFor();
    expect(await input.inputValue()).toBe('');
  });

  it('sends files that were chosen, and shows what comes back', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('x;y') },
      { name: 'b.bin', mimeType: '', buffer: Buffer.from([1, 2, 3]) },
    ]);
    await page.getByRole('button', { name: 'Remove b.bin' }).click();
    await say(page, 'See the table');
    // Once in the message, once in the answer.
    await expect.poll(() => page.getByRole('log').getByText('x;y').count()).toBe(2);
    expect(await page.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
  });

  it('takes files that are dropped on the page, and no more than it can send', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    const drop = (size: number, name: string) =>
      page.evaluate(
        ([bytes, file]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], file, { type: 'text/plain' }));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [size, name] as const,
      );
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await drop(5, 'dropped.txt');
    await page.getByRole('list', { name: 'Attachments' }).getByText('dropped.txt').waitFor();
    await drop(33_000_000, 'huge.txt');
    expect(await page.getByRole('alert').textContent()).toContain('a message takes 32 MB');
  });

  it('begins a new line with Shift+Enter, and stops the task with Esc', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/lab`);
    const input = page.getByRole('textbox', { name: 'Message' });
    await input.fill('say working on it');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('wait 600000');
    await page.keyboard.press('Enter');
    await page.getByText('working on it', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('canceled').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Stop (Esc)' }).count()).toBe(0);
  });

  it('says in words what went wrong, with a way on', async ({ visit }) => {
    const expectedErrors = ['404'];
    const page = await visit(`${served.url}/console/talk/lab?task=no-such-task`, { expectedErrors });
    const note = page.getByRole('alert');
    await note.getByRole('link', { name: 'See the tasks' }).waitFor();
    expect(await note.textContent()).toContain('Task not found. It may have been removed');
    const other = await visit(`${served.url}/console/talk/lab`);
    await say(other, 'reject Not today');
    await entries(other).getByText('rejected').waitFor();
    expect(await entries(other).innerText()).toContain('Not today');
  });

  it('is usable by keyboard alone, in dark, on a phone', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/reporter`, { width: 'phone', theme: 'dark' });
    await say(page, 'Report for Q4');
    await page.getByText('completed').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const hasSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(hasSideways).toBe(false);
  });
});
