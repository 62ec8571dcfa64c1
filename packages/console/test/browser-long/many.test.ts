import { memory } from 'parley-a2a';
import { afterAll, beforeAll, expect } from 'vitest';
import { creation } from '../../../parley/test/stores/fixtures.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { startTask } from '../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

const TASKS = 100_000;
const BATCH = 2_000;
const EVENTS = 50_000;
/** What a screen holds, and some beyond its edges. */
const MOST_ROWS = 60;

describeInBrowser('a server with 100,000 tasks, one of them with 50,000 events', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    const store = memory();
    await store.open();
    for (let start = 0; start < TASKS; start += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => {
        const number = start + index;
        const state = number % 1000 === 0 ? 'failed' : 'completed';
        return creation(`task-${number}`, { time: 1_000_000 + number, state, agent: 'lab', node: null });
      });
      await store.commit(batch);
    }
    served = await serveConsole({ store });
  });
  afterAll(() => served.close());

  it('is scrolled to its oldest task, with no more rows in the page than a screen holds', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await page.getByText('100,000 tasks').waitFor();
    const seen = await page.evaluate(async () => {
      const list = document.querySelector('ul[aria-label="Tasks"]');
      const scroller = list?.parentElement;
      if (!list || !scroller) throw new Error('The list is not there');
      let most = 0;
      const oldest = () => list.querySelector('[href="/console/tasks/task-0"]');
      while (!oldest()) {
        scroller.scrollTop = scroller.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        most = Math.max(most, list.children.length);
      }
      return { most, position: oldest()?.parentElement?.getAttribute('aria-posinset') };
    });
    expect(seen.position).toBe(String(TASKS));
    expect(seen.most).toBeLessThan(MOST_ROWS);
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByText('100 tasks').waitFor();
    await page.locator('[href="/console/tasks/task-99000"]').waitFor();
  });

  it('shows any event of a long log at once while the slider is dragged over it', async ({ visit }) => {
    const id = await startTask(served.url, 'lab', `chunk ${EVENTS} 8`);
    const page = await visit(`${served.url}/console/tasks/${id}`);
    const slider = page.getByRole('slider', { name: 'Event' });
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(EVENTS);
    const artifact = page.getByRole('article', { name: 'Artifact chunks' });
    await artifact.getByText('50000:').waitFor();
    for (const place of [40_000, 25_003, 12, 49_999]) {
      await slider.fill(String(place));
      const seq = place + 1;
      await page.getByRole('option', { selected: true }).getByText(String(seq), { exact: true }).waitFor();
      const chunks = await artifact
        .getByText(/\d chunks$/)
        .first()
        .textContent();
      const number = Number(chunks?.replaceAll(/\D/g, ''));
      expect(number).toBeGreaterThan(place - 10);
      expect(number).toBeLessThanOrEqual(seq);
      expect((await artifact.textContent())?.includes(String(number).padStart(4, '0'))).toBe(true);
    }
    expect(await page.getByRole('option').count()).toBeLessThan(MOST_ROWS);
    // A link leads to an event near the end of the log, too, and to the task as it was then.
    const linked = await visit(`${served.url}/console/tasks/${id}#48000`);
    await linked.getByRole('option', { selected: true }).getByText('48000', { exact: true }).waitFor();
    await linked.getByText('Reading').waitFor({ state: 'hidden' });
    await linked.getByRole('option', { selected: true }).getByText('48000', { exact: true }).waitFor();
    expect(await linked.getByRole('slider', { name: 'Event' }).inputValue()).toBe('47999');
    expect(new URL(linked.url()).hash).toBe('#48000');
  });
});
