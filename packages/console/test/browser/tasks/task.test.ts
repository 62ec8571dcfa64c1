import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { type DemoTasks, makeDemoTasks, startTask } from '../../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

describeInBrowser('the page of a task', () => {
  let served: ServedConsole;
  let tasks: DemoTasks;
  beforeAll(async () => {
    served = await serveConsole();
    tasks = await makeDemoTasks(served.url);
  });
  afterAll(() => served.close());

  const addressOf = (id: string) => `${served.url}/console/tasks/${id}`;
  const events = (page: Page) => page.getByRole('listbox', { name: 'Events' });
  const slider = (page: Page) => page.getByRole('slider', { name: 'Event' });
  const tab = (page: Page, name: string) => page.getByRole('tab', { name });

  it('shows the log event by event, with times and sizes', async ({ visit }) => {
    const page = await visit(addressOf(tasks.question));
    const last = events(page).getByRole('option').last();
    await last.getByText('input required: Which colour do you want?').waitFor();
    expect(await last.textContent()).toMatch(/\+\d.*(ms|s).*status.*\d B/);
    await page.getByText('Going on').waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('A task of lab');
  });

  it('shows the artifacts as they were at any event: by the slider, by its keys, by a click', async ({ visit }) => {
    const page = await visit(addressOf(await startTask(served.url, 'lab', 'chunk 40 8')));
    const text = page.getByRole('article', { name: 'Artifact chunks' });
    await text.getByText(/0040/).waitFor();
    await slider(page).focus();
    await page.keyboard.press('Home');
    await page.getByText('No artifact at this event').waitFor();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await text.waitFor();
    const early = await text.textContent();
    expect(early).toContain('0001');
    expect(early).not.toContain('0040');
    await events(page).getByRole('option').filter({ hasText: '0012' }).click();
    await text.getByText(/0012/).waitFor();
    expect(await text.textContent()).not.toContain('0013');
    await page.getByRole('button', { name: 'Latest' }).click();
    await text.getByText(/0040/).waitFor();
  });

  it('opens at an event by its link, and the address follows the event that is looked at', async ({ visit }) => {
    const page = await visit(`${addressOf(tasks.question)}#3`);
    await events(page).getByRole('option', { selected: true }).getByText('3', { exact: true }).waitFor();
    await tab(page, 'Event').click();
    await page.getByText(/^3: /).waitFor();
    await events(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText(/^4: /).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('#4');
    await page.reload();
    await events(page).getByRole('option', { selected: true }).getByText('4', { exact: true }).waitFor();
  });

  it('follows a task that goes on, until it is canceled from here', async ({ visit }) => {
    const id = await startTask(served.url, 'lab', 'say On and on\nchunk 100000 8 50', { returnImmediately: true });
    const page = await visit(addressOf(id));
    await page.getByText('working', { exact: true }).first().waitFor();
    const before = Number(await slider(page).getAttribute('max'));
    await expect.poll(async () => Number(await slider(page).getAttribute('max'))).toBeGreaterThan(before + 5);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await events(page).getByRole('option').last().getByText('canceled').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
  });

  it('shows where the time of a task and of its sub-agent went', async ({ visit }) => {
    const page = await visit(addressOf(tasks.report));
    await tab(page, 'Time').click();
    const rows = page.getByRole('list', { name: 'Where the time went' }).getByRole('listitem');
    await rows
      .first()
      .getByText(/running/)
      .waitFor();
    await rows.nth(1).getByRole('link', { name: 'analyst' }).click();
    await page.getByRole('heading', { level: 1, name: 'A task of analyst' }).waitFor();
    expect(page.url()).not.toContain(tasks.report);
  });

  it('runs it again with another message, and forks its conversation', async ({ visit }) => {
    const id = await startTask(served.url, 'lab', 'chunk 2 8');
    const page = await visit(addressOf(id));
    await page.getByRole('button', { name: 'Rerun' }).click();
    await page.getByRole('dialog').getByLabel('Message').fill('chunk 7 8');
    await page.getByRole('button', { name: 'Run with this message' }).click();
    await page.getByRole('article', { name: 'Artifact chunks' }).getByText(/0007/).waitFor();
    expect(page.url()).not.toContain(id);
    await page.getByRole('button', { name: 'Fork' }).click();
    await page.getByRole('button', { name: 'Fork and go on in the chat' }).click();
    await page.waitForURL('**/console/talk/lab?context=*');
  });

  it('links a question to the chat that answers it', async ({ visit }) => {
    const page = await visit(addressOf(tasks.question));
    const href = await page.getByRole('link', { name: 'Answer' }).getAttribute('href');
    expect(href).toMatch(/^\/console\/talk\/lab\?context=[\w-]+&task=/);
    expect(href).toContain(tasks.question);
  });

  it('says in words that there is no such task, with a way on', async ({ visit }) => {
    const page = await visit(addressOf('nothing-of-that-name'), { expectedErrors: ['404'] });
    await page.getByRole('alert').getByText('Task not found').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'All tasks' }).click();
    await page.getByRole('list', { name: 'Tasks' }).waitFor();
  });

  it.for([
    ['phone', 'dark'],
    ['laptop', 'light'],
  ] as const)('has no barrier on a %s in the %s theme, on any of its tabs', async ([width, theme], { visit }) => {
    const page = await visit(addressOf(tasks.report), { width, theme });
    await events(page).getByRole('option').last().waitFor();
    for (const name of ['Artifacts', 'Messages', 'Event', 'Time', 'Webhooks']) {
      await tab(page, name).click();
      expect(await findBarriers(page), name).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
