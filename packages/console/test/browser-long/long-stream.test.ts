import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { narrator } from '../chat/agents.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

/** Processor time that a task of the page's main thread may take, in milliseconds. */
const LONGEST_TASK_MS = 50;
/**
 * Some tasks may take longer, up to `LONGEST_OF_ALL_MS`: a browser that was kept from working collects its garbage at once, and finds
 * all at once what came meanwhile. All of them together take no more than this part of the page's processor time. They are not
 * counted: most tasks of a page do next to nothing, and any number of slow ones is small beside those.
 */
const PART_OF_LONGER_TASKS = 0.05;
const LONGEST_OF_ALL_MS = 200;
/** Processor time of `work` on the machine for which these times are meant. */
const USUAL_WORK_MS = 75;
/** Processor time that a page needs at least to show so much. */
const LEAST_WORK_MS = 500;
const MARK = 'the page of the long stream';
const CHUNKS = 50_000;
/** Elements in the page after the stream, however long it was: what is far away is one element for many blocks. */
const MOST_ELEMENTS = 6_000;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
}

/** How many times slower this machine is than the usual one; 1 where it is not. What else it does does not count. */
function measureSlowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / USUAL_WORK_MS);
}

function work(): number {
  let length = 0;
  for (let number = 0; number < 100_000; number += 1) {
    length += JSON.stringify({ text: WORK_WORDS.slice(0, 16 + (number % 60)).split(' ') }).length;
  }
  return length;
}

const WORK_WORDS =
  'The **sales** of the region grew by `12 %`, as [the table](https://example.com/t) shows, and go on growing. ';

/** The processor time of the tasks of the page's main thread, in milliseconds, the longest first: waiting does not count. */
async function traceTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['-*', 'toplevel', 'blink.user_timing'] });
  // Pages of other tests are in the same browser, and so in the trace: this one is found by its mark.
  await page.evaluate((mark) => void performance.mark(mark), MARK);
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const marked = traceEvents.find(({ name }) => name === MARK);
  if (!marked) throw new Error('The trace does not have the page');
  const main = threadOf(marked);
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && threadOf(event) === main);
  expect(tasks.length).toBeGreaterThan(100);
  return tasks.map(({ tdur = 0 }) => tdur / 1000).sort((one, other) => other - one);
}

const sumOf = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0);

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
    const tasks = await traceTasks(browser, page, async () => {
      await page.keyboard.press('Enter');
      // Locators look through the whole page every time, which would count as work of the page.
      await page.waitForFunction(isEnded, undefined, { polling: 500 });
    });
    const slowness = measureSlowness();
    const all = sumOf(tasks);
    const seen = `${tasks.length} tasks of ${all} ms, ${slowness} times slower; the longest: ${tasks.slice(0, 20).join(', ')}`;
    // A browser that does not tell the processor time of its threads proves nothing here.
    expect(all, seen).toBeGreaterThan(LEAST_WORK_MS);
    expect(tasks[0], seen).toBeLessThan(LONGEST_OF_ALL_MS * slowness);
    const longer = sumOf(tasks.filter((time) => time >= LONGEST_TASK_MS * slowness));
    expect(longer, seen).toBeLessThanOrEqual(all * PART_OF_LONGER_TASKS);
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
