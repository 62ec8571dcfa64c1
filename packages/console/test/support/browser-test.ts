import { type Browser, chromium, type Page } from 'playwright-core';
import { describe, inject, test as plain } from 'vitest';
import { openPage, type VisitOptions } from './open-page.ts';

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
