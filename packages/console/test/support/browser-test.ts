import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, inject, test as plain } from 'vitest';
import { PATIENCE_MS } from '../../../parley/test/support/patience.ts';
import { PageWatch } from './page-watch.ts';

/** The widths at which every screen is looked at: a phone, a tablet, a laptop. */
export const WIDTHS = { phone: 390, tablet: 820, laptop: 1440 } as const;

export interface VisitOptions {
  /** Default: a laptop. */
  readonly width?: keyof typeof WIDTHS | undefined;
  /** Default: light. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Parts of messages that this test provokes, such as the failed request of a server that is down. */
  readonly expectedErrors?: readonly string[] | undefined;
  /** What the browser keeps for the page before it is opened: items of localStorage. */
  readonly stored?: Readonly<Record<string, string>> | undefined;
}

/** Opens pages that close with the test. A script error, a violation of the CSP or a request to another origin fails the test. */
export type Visit = (url: string, options?: VisitOptions) => Promise<Page>;

const found = inject('browser');
const missing = 'missing' in found ? found.missing : undefined;

let shared: Promise<Browser> | undefined;

function connect(): Promise<Browser> {
  if ('missing' in found) throw new Error(found.missing);
  shared ??= chromium.connect(found.endpoint);
  return shared;
}

/** Tests that need a browser; without one they are skipped, and their title says why. */
export function describeInBrowser(title: string, body: () => void): void {
  if (missing === undefined) describe(title, body);
  else describe.skip(`${title} (skipped: ${missing})`, body);
}

/** `it` with `visit`, and the browser itself. */
export const it = plain
  .extend('browser', () => connect())
  .extend('visit', ({ browser }, { onCleanup }): Visit => {
    const closers: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const close of closers) await close();
    });
    return async (url, options = {}) => {
      const { page, close } = await openPage(browser, new URL(url).origin, options);
      closers.push(close);
      await page.goto(url);
      return page;
    };
  });

/** A page in a context of its own, for one origin, and what closes both and throws where the page misbehaved. */
export async function openPage(browser: Browser, origin: string, options: VisitOptions) {
  const { width = 'laptop', theme = 'light', stored = {}, expectedErrors = [] } = options;
  const context = await browser.newContext({ ...shapeOf(width), colorScheme: theme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const watch = new PageWatch(origin, expectedErrors);
  await watch.follow(context);
  if (Object.keys(stored).length > 0) await context.addInitScript(storeItems, stored);
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    watch.assertQuiet();
  };
  return { page, close };
}

function shapeOf(width: keyof typeof WIDTHS): BrowserContextOptions {
  const isPhone = width === 'phone';
  return {
    viewport: { width: WIDTHS[width], height: isPhone ? 844 : 900 },
    ...(isPhone && { isMobile: true, hasTouch: true }),
  };
}

function storeItems(items: Readonly<Record<string, string>>): void {
  const { localStorage } = globalThis as unknown as {
    localStorage: {
      [name: string]: unknown;
      getItem: (name: string) => unknown;
      setItem: (name: string, value: string) => void;
    };
  };
  for (const [name, value] of Object.entries(items)) {
    if (localStorage.getItem(name) === null) localStorage.setItem(name, value);
  }
}
