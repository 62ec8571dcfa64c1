import { chromium } from 'playwright-core';
import { serveConsole } from './zz-serve.ts';

const served = await serveConsole();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const shots = process.argv[2] ?? '/tmp/CWIRE-shots';
const open = async (width: number, theme: 'light' | 'dark') => {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(20000);
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && console.log('console:', m.text()));
  page.on('pageerror', (e) => console.log('error:', e.stack));
  return page;
};
try {
  for (const [width, theme] of [
    [1440, 'light'],
    [390, 'dark'],
    [820, 'light'],
  ] as const) {
    const page = await open(width, theme);
    await page.goto(`${served.url}/console/wire?view=compare&agent=echo`);
    await page.getByRole('button', { name: 'Send and compare' }).click();
    await page.getByText('same answer').first().waitFor();
    await page.screenshot({ path: `${shots}/compare-${width}.png`, fullPage: false });
    await page.getByRole('tab', { name: 'Traffic' }).click();
    await page
      .getByRole('button', { name: /sendMessage/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'curl' }).click();
    await page.screenshot({ path: `${shots}/traffic-${width}.png` });
    await page.getByRole('button', { name: 'test', exact: true }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${shots}/test-${width}.png` });
    await page.getByRole('tab', { name: 'Agent settings' }).click();
    await page.getByText('The card asks for no').waitFor();
    await page.screenshot({ path: `${shots}/access-${width}.png` });
    await page.getByRole('tab', { name: 'Check', exact: true }).click();
    await page.screenshot({ path: `${shots}/check-${width}.png` });
    await page.getByRole('button', { name: 'Open the wire' }).click();
    await page.getByRole('heading', { name: 'Wire', level: 2 }).waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${shots}/drawer-${width}.png` });
  }
} finally {
  await browser.close();
  await served.close();
}
