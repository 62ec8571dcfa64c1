import type { TestProject } from 'vitest/node';
import { buildConsole } from './build-console.ts';
import { startBrowser } from './find-browser.ts';

/** With this variable, as in CI, a browser that is missing fails the run. */
const REQUIRED = 'REQUIRE_BROWSER';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens, or why there is none. */
    browser: { readonly endpoint: string } | { readonly missing: string };
  }
}

/** One browser and one build of the console for all browser tests of a run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [browser] = await Promise.all([startBrowser(), buildConsole()]);
  if ('missing' in browser) {
    if (process.env[REQUIRED])
      throw new Error(`${REQUIRED} is set and no browser could be started: ${browser.missing}`);
    project.provide('browser', browser);
    return async () => {};
  }
  project.provide('browser', { endpoint: browser.server.wsEndpoint() });
  return () => browser.server.close();
}
