import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { type DemoTasks, makeDemoTasks, startTask } from '../../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

describeInBrowser('the list of tasks', () => {
  let served: ServedConsole;
  let tasks: DemoTasks;
  beforeAll(async () => {
    served = await serveConsole();
    tasks = await makeDemoTasks(served.url);
  });
  afterAll(() => served.close());

  const rows = (page: Page) => page.getByRole('list', { name: 'Tasks' }).getByRole('link');
  const rowOf = (page: Page, id: string) => rows(page).and(page.locator(`[href="/console/tasks/${id}"]`));

  it('shows every task with its state, and a new one by itself', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    expect(await rowOf(page, tasks.failed).textContent()).toMatch(/^failed.*lab/);
    expect(await rowOf(page, tasks.question).textContent()).toContain('input required');
    const id = await startTask(served.url, 'lab', 'chunk 1');
    await rowOf(page, id).waitFor();
    expect(await rows(page).first().getAttribute('href')).toContain('/console/tasks/');
  });

  it('is filtered by state, agent and time; the filter is in the address and outlasts a reload', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByLabel('Agent', { exact: true }).selectOption('lab');
    await page.getByLabel('Time', { exact: true }).selectOption('60');
    await page.getByText('1 task,').waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?state=failed&agent=lab&minutes=60');
    await page.reload();
    await rowOf(page, tasks.failed).waitFor();
    expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('failed');
    await page.getByLabel('State', { exact: true }).selectOption('rejected');
    await page.getByText('No task matches the filter').waitFor();
    await page.getByRole('button', { name: 'Show all tasks' }).click();
    await rowOf(page, tasks.question).waitFor();
  });

  it('is filtered by a context and by days', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks`);
    await page.getByLabel('Context', { exact: true }).fill('a conversation that nobody had');
    await page.keyboard.press('Enter');
    await page.getByText('No task matches the filter').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Time', { exact: true }).selectOption('days');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No task matches the filter').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2999-01-01');
    await rowOf(page, tasks.report).waitFor();
  });

  it('keeps filters under names in this browser', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks?state=failed`);
    await page.getByRole('button', { name: 'Save this filter' }).click();
    // The dialog begins with its field.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Broken <b>ones</b>');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('list', { name: 'Saved filters' });
    await saved.getByText('Broken <b>ones</b>').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await rowOf(page, tasks.report).waitFor();
    await page.reload();
    await saved.getByRole('link', { name: 'Broken <b>ones</b>' }).click();
    await rowOf(page, tasks.report).waitFor({ state: 'detached' });
    await rowOf(page, tasks.failed).waitFor();
    // One step back is the list as it was before.
    await page.goBack();
    await rowOf(page, tasks.report).waitFor();
    await saved.getByRole('button', { name: /^Forget/ }).click();
    await saved.getByRole('link').waitFor({ state: 'detached' });
  });

  it('is used by the keyboard alone: arrows go from row to row, Enter opens one', async ({ visit }) => {
    const page = await visit(`${served.url}/console/tasks?state=completed`);
    await rows(page).nth(2).waitFor();
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const href = await page.evaluate(() => document.activeElement?.getAttribute('href'));
    expect(href).toBe(await rows(page).nth(1).getAttribute('href'));
    await page.keyboard.press('Enter');
    await page.getByRole('listbox', { name: 'Events' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(href);
  });

  it.for([
    ['phone', 'dark'],
    ['laptop', 'light'],
  ] as const)('has no barrier on a %s in the %s theme, and does not scroll sideways', async ([width, theme], {
    visit,
  }) => {
    const page = await visit(`${served.url}/console/tasks?state=completed`, { width, theme });
    await rows(page).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
