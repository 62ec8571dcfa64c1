import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { buildConsole } from '../support/build-console.ts';
import { makeDemoTasks } from '../support/demo-data.ts';
import { startBrowser } from '../support/find-browser.ts';
import { openPage, WIDTHS } from '../support/open-page.ts';
import { serveConsole } from '../support/serve-console.ts';
import { openScreen, type Screen, screensOf } from './screens.ts';

/**
 * Pictures of the main screens with demo data, at three widths and in both themes, into a temporary folder or the one that is
 * named: `npm run console:screenshots -- [--out FOLDER] [--only NAME]`. With `--docs`, those of the documents, small, into
 * `docs/assets`.
 */
const [out, only] = ['--out', '--only'].map((flag) => process.argv[process.argv.indexOf(flag) + 1] ?? '');
const isForDocs = process.argv.includes('--docs');
const ASSETS = join(import.meta.dirname, '../../../../docs/assets');
const folder = process.argv.includes('--out') && out ? out : join(tmpdir(), `parley-console-${process.pid}`);

/** The size of pictures in documents, and the most bytes of each. */
const DOCUMENT_SIZE = { width: 1200, height: 750 };
const MOST_BYTES = 60_000;
const QUALITY = 72;

const [started] = await Promise.all([startBrowser(), buildConsole()]);
if ('missing' in started) throw new Error(`No browser could be started: ${started.missing}`);
const served = await serveConsole();
try {
  const screens = screensOf(await makeDemoTasks(served.url)).filter(
    ({ name }) => !process.argv.includes('--only') || name === only,
  );
  const browser = await chromium.connect(started.server.wsEndpoint());
  if (isForDocs) for (const screen of screens.filter(({ isInDocs }) => isInDocs)) await takeForDocs(browser, screen);
  else for (const screen of screens) await takeAll(browser, screen);
  await browser.close();
  console.log(isForDocs ? ASSETS : folder);
} finally {
  await served.close();
  await started.server.close();
}

async function takeAll(browser: Browser, screen: Screen): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const width of Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]) {
    for (const theme of ['light', 'dark'] as const) {
      const { page, close } = await openPage(browser, served.url, { width, theme });
      await openScreen(page, served.url, screen);
      await page.screenshot({ path: join(folder, `${screen.name}-${width}-${theme}.png`) });
      await close();
    }
  }
}

async function takeForDocs(browser: Browser, screen: Screen): Promise<void> {
  const { page, close } = await openPage(browser, served.url, { theme: 'light' });
  await page.setViewportSize(DOCUMENT_SIZE);
  await openScreen(page, served.url, screen);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  await close();
  if (bytes.length > MOST_BYTES) throw new Error(`The picture of ${screen.name} has ${bytes.length} bytes`);
  writeFileSync(join(ASSETS, `console-${screen.name}.webp`), bytes);
}
