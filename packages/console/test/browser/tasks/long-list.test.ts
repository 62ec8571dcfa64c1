import { memory } from 'parley-a2a';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { creation } from '../../../../parley/test/stores/fixtures.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { startTask } from '../../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

/** Several pages of the list. */
const TASKS = 900;

describeInBrowser('a list of tasks that is longer than the screen', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    const store = memory();
    await store.open();
    await store.commit(
      Array.from({ length: TASKS }, (_, number) =>
        creation(`task-${number}`, { time: 1_000_000 + number, state: 'completed', agent: 'lab', node: null }),
      ),
    );
    served = await serveConsole({ store });
  });
  afterAll(() => served.close());

  const rows = (page: Page) => page.getByRole('list', { name: 'Tasks' }).getByRole('link');
  const rowOf = (page: Page, id: string) => rows(page).and(page.locator(`[href="/console/tasks/${id}"]`));
  const focusedRow = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('href'));
  const scrollTo = (page: Page, id: string) =>
    expect
      .poll(async () => {
        if ((await rowOf(page, id).count()) > 0) return true;
        await rows(page)
          .last()
          .evaluate((row) => row.scrollIntoView());
        return false;
      })
      .toBe(true);

  it('is where it was when a person comes back from a task, also where newer tasks came meanwhile', async ({
    visit,
  }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await scrollTo(page, 'task-400');
    await rowOf(page, 'task-400').scrollIntoViewIfNeeded();
    const before = await rowOf(page, 'task-400').boundingBox();
    await rowOf(page, 'task-400').click();
    await page.getByRole('listbox', { name: 'Events' }).waitFor();
    await startTask(served.url, 'lab', 'chunk 1');
    await page.goBack();
    await page.getByRole('button', { name: '1 newer task' }).waitFor();
    expect(await rowOf(page, 'task-400').boundingBox()).toEqual(before);
    await expect.poll(() => focusedRow(page)).toBe('/console/tasks/task-400');
    // A link to the list leads to its top.
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tasks' }).click();
    await rowOf(page, `task-${TASKS - 1}`).waitFor();
  });

  it('is gone through with Page Down, End and Home, and the keyboard stays on a row', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await rows(page).first().focus();
    const first = await focusedRow(page);
    await page.keyboard.press('PageDown');
    await expect.poll(() => focusedRow(page)).not.toBe(first);
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return focusedRow(page);
      })
      .toBe('/console/tasks/task-0');
    await page.keyboard.press('PageUp');
    await expect.poll(() => focusedRow(page)).not.toBe('/console/tasks/task-0');
    await page.keyboard.press('Home');
    await expect.poll(() => focusedRow(page)).toBe(first);
    // Also where the row was scrolled out of sight.
    await page.getByRole('list', { name: 'Tasks' }).hover({ position: { x: 200, y: 100 } });
    await page.mouse.wheel(0, 6000);
    await expect.poll(() => rows(page).last().getAttribute('data-index').then(Number)).toBeGreaterThan(90);
    expect(await focusedRow(page)).toBe(first);
  });
});
