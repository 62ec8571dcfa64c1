import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openScreen, screensOf } from '../screenshots/screens.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type DemoTasks, makeDemoTasks } from '../support/demo-data.ts';
import { WIDTHS } from '../support/open-page.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

describeInBrowser('every main screen', () => {
  let served: ServedConsole;
  let tasks: DemoTasks;
  beforeAll(async () => {
    served = await serveConsole();
    tasks = await makeDemoTasks(served.url);
  });
  afterAll(() => served.close());

  // The names are known before the tasks are there.
  const names = screensOf({ report: '', question: '', failed: '', endless: '' }).map(({ name }) => name);

  it.for(names)('%s has no barriers and is not wider than its window', async (name, { visit }) => {
    const screen = screensOf(tasks).find((one) => one.name === name);
    const page = await visit(`${served.url}/console/`, { width: 'laptop', theme: 'light' });
    if (screen) await openScreen(page, served.url, screen);
    // A list of three hundred rules takes axe most of a minute, and it no longer finds the background of the page.
    if (name === 'check') await page.getByLabel('Find a rule').fill('stream');
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await findBarriers(page), 'a laptop in the light').toEqual([]);
    expect(await overflow(), 'a laptop').toBeLessThanOrEqual(0);
    // The same screen on a phone in the dark: what was prepared stays as it is. So high that the bar at the bottom covers nothing.
    await page.setViewportSize({ width: WIDTHS.phone, height: 4000 });
    await darken(page);
    expect(await findBarriers(page), 'a phone in the dark').toEqual([]);
    expect(await overflow(), 'a phone').toBeLessThanOrEqual(0);
  });
});

/**
 * Shows the page in the dark, and waits until it is: the browser restyles it some frames later, and axe notes backgrounds at its
 * beginning and texts at its end.
 */
async function darken(page: Page): Promise<void> {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const inTheLight = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(inTheLight);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
