import { memory } from 'parley-a2a';
import { afterAll, beforeAll, expect } from 'vitest';
import type { MetricsPoint, MetricsSnapshot } from '../../../parley/src/server/operator/console-api.ts';
import { startReceiver } from '../../../parley/test/push/receiver.ts';
import { LOCAL } from '../../../parley/test/push/support.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { startTask } from '../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

/** A webhook that failed is not tried again by itself within the test. */
const PUSH = { ...LOCAL, retry: { firstDelay: 3_600_000, longestDelay: 3_600_000 } };

const POINTS: readonly MetricsPoint[] = Array.from({ length: 30 }, (_, number) => ({
  at: new Date(Date.now() - (30 - number) * 5000).toISOString(),
  operations: number * 5,
  failures: number === 29 ? 10 : 0,
  events: 500,
  latency: number < 5 ? undefined : { p50: 3, p95: 42, max: 99 },
  streams: 2,
  runsWaiting: 0,
  loopDelay: 7,
  heapBytes: 42_000_000,
}));

const METRICS: MetricsSnapshot = {
  at: new Date().toISOString(),
  startedAt: new Date(0).toISOString(),
  node: 'a-node',
  step: 5000,
  points: POINTS,
  now: {
    tasks: 3,
    streams: 2,
    runsWaiting: 0,
    commitsWaiting: 0,
    webhooksAwake: 0,
    isStoreFailing: false,
    heapBytes: 42_000_000,
    residentBytes: 99_000_000,
    uptime: 3_600_000,
  },
  totals: { operations: 1, failures: 0, events: 1, tasksEnded: {} },
};

describeInBrowser('the page of operators', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    const store = memory();
    await store.open();
    const key = { hash: 'sha256:never-shown', tenant: '', scopes: ['report:write'], createdAt: Date.now() };
    for (let number = 1; number <= 60; number += 1) {
      await store.addApiKey({ ...key, id: `key-${String(number).padStart(3, '0')}`, subject: `robot ${number}` });
    }
    served = await serveConsole({ store, push: PUSH, retention: { tasks: '2d' } });
  });
  afterAll(() => served.close());

  const answers = { '/metrics': METRICS };
  const address = () => `${served.url}/console/operate`;

  it('tells how the server is, its nodes, what it keeps and who has keys', async ({ visit }) => {
    const page = await visit(address());
    await page.getByText('healthy', { exact: true }).waitFor();
    await page.getByText('memory', { exact: true }).waitFor();
    await page.getByText('this one').waitFor();
    await page.getByRole('img', { name: /^Requests over time/ }).waitFor();
    await page.getByText('2 days').waitFor();
    const keys = page.getByRole('table');
    await keys.getByText('key-001').waitFor();
    expect(await page.content()).not.toContain('never-shown');
    await page.getByRole('button', { name: 'More' }).click();
    await keys.getByText('robot 60').waitFor();
    await page.getByRole('button', { name: 'Earlier' }).click();
    await keys.getByText('key-001').waitFor();
  });

  it('draws rates and latencies, and says their latest values', async ({ visit }) => {
    const page = await visit(address(), { answers });
    const chart = (name: string) => page.getByRole('img', { name });
    await chart('Requests over time: all 29/s, failed 2/s').waitFor();
    await chart('Latency over time: median 3 ms, 95th percentile 42 ms').waitFor();
    await chart('Memory over time: heap 42 MB').waitFor();
    expect(await page.locator('figure canvas').count()).toBe(6);
  });

  it('is shown by a browser whose language is none, as in the locale C', async ({ visit }) => {
    const page = await visit(address(), { answers, language: 'en-US@posix' });
    await page.getByRole('img', { name: /^Requests over time/ }).waitFor();
  });

  it('shows webhooks that fail, here and with their task, and delivers again', async ({ visit }) => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 200 : 503 }));
    const id = await startTask(served.url, 'lab', 'chunk 2', { pushConfig: { url: receiver.url } });
    const page = await visit(address(), { answers });
    const card = page.getByRole('article', { name: /^Webhook/ });
    await card.getByText('failing', { exact: true }).waitFor();
    await card.getByText(/503/).waitFor();
    await card.getByRole('link', { name: 'Its task' }).click();
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await card.getByText('failing', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/tasks/${id}`);
    isUp = true;
    await card.getByRole('button', { name: 'Deliver again' }).click();
    await card.getByText('up to date').waitFor();
    expect(receiver.accepted.length).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Operate' }).click();
    await page.getByText(/^All is well with/).waitFor();
  });

  it.for([
    ['phone', 'dark'],
    ['laptop', 'light'],
  ] as const)('has no barrier on a %s in the %s theme', async ([width, theme], { visit }) => {
    const page = await visit(address(), { width, theme, answers });
    await page.getByText('key-001').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
