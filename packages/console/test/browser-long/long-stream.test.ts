import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { narrator } from '../chat/agents.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

/** Processor time that a task of the page's main thread may take, in milliseconds. */
const LONGEST_TASK_MS = 50;
/**
 * Tasks that are the browser's own and not the page's: it collects garbage at once where a busy machine kept it from doing so
 * beforehand, and hands the whole response to whoever inspects it. They may take longer, up to this.
 */
const BROWSERS_TASKS = 2;
const LONGEST_OF_BROWSER_MS = 200;
const CHUNKS = 50_000;
/** Elements in the page after the stream, however long it was: what is far away is one element for many blocks. */
const MOST_ELEMENTS = 6_000;

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

/** Runs in the page. */
function isEnded(): boolean {
  const foot = document.querySelectorAll('article')[1]?.querySelector('footer');
  return foot?.textContent?.includes('completed') === true;
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
      // Locators look through the whole page every time, which would count as work of the page.
      await page.waitForFunction(isEnded, undefined, { polling: 500 });
    });
    const seen = `the longest tasks: ${longest.join(', ')}`;
    expect(longest[0], seen).toBeLessThan(LONGEST_OF_BROWSER_MS);
    expect(longest[BROWSERS_TASKS], seen).toBeLessThan(LONGEST_TASK_MS);
    expect(await page.getByRole('log').innerText()).toContain('The end.');
    const isAtEnd = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY < 100);
    await expect.poll(isAtEnd).toBe(true);
    await expect.poll(() => page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MOST_ELEMENTS);
    // What is far away is rendered again when the person comes back to it.
    await page.evaluate(() => document.querySelectorAll('article')[1]?.scrollIntoView({ behavior: 'instant' }));
    const second = page.locator('article:nth-of-type(2)');
    await second.getByRole('heading', { name: 'Part 0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'To the end' }).click();
    await second.getByRole('heading', { name: `Part ${CHUNKS - 40}`, exact: true }).waitFor();
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
