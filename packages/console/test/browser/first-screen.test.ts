import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

/** The most that the first screen may load, after compression. */
const MOST_BYTES = 350_000;

describeInBrowser('the first screen', () => {
  it('is small: page, scripts and styles together', async ({ visit }) => {
    await using served = await serveConsole();
    const page = await visit(`${served.url}/console/no-such-page`);
    const sizes = new Map<string, number>();
    page.on('response', (response) => {
      if (!new URL(response.url()).pathname.startsWith('/console')) return;
      const noteSize = (body: Buffer) => sizes.set(response.url(), gzipSync(body).length);
      // The browser may have let go of the body of a page that was left.
      void response.body().then(noteSize, () => undefined);
    });
    await page.goto(`${served.url}/console/`);
    await page.getByRole('heading', { name: 'reporter' }).waitFor();
    await expect.poll(() => sizes.size).toBeGreaterThan(3);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThanOrEqual(MOST_BYTES);
    // Before its server goes: a request that is refused then would count as a fault of the page.
    await page.close();
  });
});
