import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

/** The most that the first screen may load, as it comes over the wire. */
const MOST_BYTES = 350_000;
/** Page, theme, icon, script, style, what the script imports at once, and the one question to the server. */
const MOST_REQUESTS = 8;
/** Visits that the middle one is taken of. */
const VISITS = 5;

/** What a browser with an empty cache did until the list of agents could be read. */
interface FirstScreen {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly paths: readonly string[];
}

describeInBrowser('the first screen', () => {
  it('is small, and comes with few requests', async ({ browser }) => {
    await using served = await serveConsole();
    const screens: FirstScreen[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) screens.push(await visitOnce(browser, `${served.url}/console/`));
    const [, ...later] = screens;
    const times = later.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
    const { bytes = 0, paths = [] } = screens.at(-1) ?? {};
    // A figure to look at; no machine is held to it.
    console.log(
      `First useful screen: first visit of a server ${screens[0]?.milliseconds} ms, then ${times.join(', ')} ms; ${bytes} bytes in ${paths.length} requests: ${paths.join(' ')}`,
    );
    expect(paths).toContain('/a2a/operator/server');
    expect(paths.length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});

async function visitOnce(browser: Browser, url: string): Promise<FirstScreen> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  try {
    await context.addInitScript(watchForAgents);
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => 'usefulAt' in globalThis);
    return await page.evaluate(() => {
      const { usefulAt = 0, thereAt = 0 } = globalThis as { usefulAt?: number; thereAt?: number };
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      const seen = (entries as PerformanceResourceTiming[]).filter(({ startTime }) => startTime <= thereAt);
      return {
        milliseconds: Math.round(usefulAt),
        bytes: seen.reduce((sum, { transferSize }) => sum + transferSize, 0),
        paths: seen.map(({ name }) => new URL(name).pathname),
      };
    });
  } finally {
    await context.close();
  }
}

/** Runs in the page before its scripts do: notes when the first agent is painted. */
function watchForAgents(): void {
  const observer = new MutationObserver(() => {
    if (![...document.querySelectorAll('h2, h3')].some(({ textContent }) => textContent?.includes('reporter'))) return;
    observer.disconnect();
    // What is loaded after this moment is for later.
    const thereAt = performance.now();
    requestAnimationFrame(() => {
      setTimeout(() => Object.assign(globalThis, { thereAt, usefulAt: performance.now() }));
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}
