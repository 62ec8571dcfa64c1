import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { narrator } from '../chat/agents.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

/** Processor time that one task of the page's main thread may take, in milliseconds. */
const LONGEST_TASK_MS = 50;
const CHUNKS = 50_000;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The processor time of the longest tasks of the page's main thread, in milliseconds: a busy machine does not count. */
async function longestTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['-*', 'toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(threadOf));
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)));
  expect(tasks.length).toBeGreaterThan(100);
  return tasks
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((one, other) => other - one)
    .slice(0, 10);
}

describeInBrowser('a very long stream', () => {
  it('does not freeze the page, ends whole, and leaves the window where the person scrolled to', async ({
    browser,
    visit,
  }) => {
    await using served = await serveConsole({ agents: [narrator] });
    const page = await visit(`${served.url}/console/talk/narrator`);
    await page.getByRole('textbox', { name: 'Message' }).fill('200');
    await page.keyboard.press('Enter');
    // What is loaded lazily is there, and the code of the page is warm, as it is for whoever uses it.
    await page.locator('article footer', { hasText: 'completed' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill(`${CHUNKS} 2000`);
    const longest = await longestTasks(browser, page, async () => {
      await page.keyboard.press('Enter');
      await page.locator('article:nth-of-type(2) footer', { hasText: 'completed' }).waitFor();
    });
    expect(longest[0], `the longest tasks: ${longest.join(', ')}`).toBeLessThan(LONGEST_TASK_MS);
    expect(await page.getByRole('log').innerText()).toContain('The end.');
    const isAtEnd = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY < 100);
    await expect.poll(isAtEnd).toBe(true);
    await page.getByRole('textbox', { name: 'Message' }).fill('600 300');
    await page.keyboard.press('Enter');
    await page.locator('article:nth-of-type(3)', { hasText: 'Part 40' }).waitFor();
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, -3000);
    await expect.poll(isAtEnd).toBe(false);
    await page.locator('article:nth-of-type(3) footer', { hasText: 'completed' }).waitFor();
    expect(await isAtEnd()).toBe(false);
    await page.getByRole('button', { name: 'To the end' }).click();
    await expect.poll(isAtEnd).toBe(true);
    // Before its server goes: a request that is refused then would count as a fault of the page.
    await page.close();
  });
});
