import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../../parley/test/support/patience.ts';
import { PageWatch } from './page-watch.ts';

/** The widths at which every screen is looked at: a phone, a tablet, a laptop. */
export const WIDTHS = { phone: 390, tablet: 820, laptop: 1440 } as const;

export interface VisitOptions {
  /** Default: a laptop. */
  readonly width?: keyof typeof WIDTHS | undefined;
  /** Default: light. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** What `navigator.language` says, in the place of the browser's own. */
  readonly language?: string | undefined;
  /** Parts of messages that this test provokes, such as the failed request of a server that is down. */
  readonly expectedErrors?: readonly string[] | undefined;
  /** Origins that a person goes to in other windows. */
  readonly visited?: readonly string[] | undefined;
  /** What the browser keeps for the page before it is opened: items of localStorage. */
  readonly stored?: Readonly<Record<string, string>> | undefined;
  /** What the page gets in place of a response of the server, as JSON, by the end of the path: for states that are rare. */
  readonly answers?: Readonly<Record<string, unknown>> | undefined;
}

export interface OpenedPage {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** A page in a context of its own, for one origin, and what closes both and throws where the page misbehaved. */
export async function openPage(browser: Browser, origin: string, options: VisitOptions): Promise<OpenedPage> {
  const { width = 'laptop', theme = 'light', stored = {}, expectedErrors = [], answers = {} } = options;
  const context = await browser.newContext({ ...shapeOf(width), colorScheme: theme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const watch = new PageWatch(origin, expectedErrors, options.visited);
  await watch.follow(context);
  if (Object.keys(stored).length > 0) await context.addInitScript(storeItems, stored);
  for (const [path, json] of Object.entries(answers)) {
    await context.route(
      (url) => url.pathname.endsWith(path),
      (route) => route.fulfill({ json }),
    );
  }
  if (options.language !== undefined) await context.addInitScript(speak, options.language);
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
  for (const [name, value] of Object.entries(items)) {
    if (localStorage.getItem(name) === null) localStorage.setItem(name, value);
  }
}

function speak(language: string): void {
  Object.defineProperty(Navigator.prototype, 'language', { get: () => language });
}
