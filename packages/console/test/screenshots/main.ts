import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { buildConsole } from '../support/build-console.ts';
import { makeDemoTasks } from '../support/demo-data.ts';
import { startBrowser } from '../support/find-browser.ts';
import { openPage, WIDTHS } from '../support/open-page.ts';
import { serveConsole } from '../support/serve-console.ts';
import { screensOf } from './screens.ts';

/**
 * Pictures of the main screens with demo data, at three widths and in both themes, into a temporary folder or the one that is
 * named: `npm run console:screenshots -- [--out FOLDER] [--only NAME]`.
 */
const [out, only] = ['--out', '--only'].map((flag) => process.argv[process.argv.indexOf(flag) + 1] ?? '');
const folder = process.argv.includes('--out') && out ? out : join(tmpdir(), `parley-console-${process.pid}`);
mkdirSync(folder, { recursive: true });

const [started] = await Promise.all([startBrowser(), buildConsole()]);
if ('missing' in started) throw new Error(`No browser could be started: ${started.missing}`);
const served = await serveConsole();
try {
  const screens = screensOf(await makeDemoTasks(served.url)).filter(
    ({ name }) => !process.argv.includes('--only') || name === only,
  );
  const browser = await chromium.connect(started.server.wsEndpoint());
  for (const { name, path, prepare } of screens) {
    for (const width of Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]) {
      for (const theme of ['light', 'dark'] as const) {
        const { page, close } = await openPage(browser, served.url, { width, theme });
        await page.goto(`${served.url}/console${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await prepare?.(page);
        await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
        await close();
      }
    }
  }
  await browser.close();
  console.log(folder);
} finally {
  await served.close();
  await started.server.close();
}
