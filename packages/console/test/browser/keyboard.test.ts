import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { asker, narrator } from '../chat/agents.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { startTask } from '../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

/** More steps than any page has things to stop at. */
const MOST_STEPS = 60;

describeInBrowser('a person with a keyboard and nothing else', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: [asker, narrator] });
  });
  afterAll(() => served.close());

  /** The words of what has the focus. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return (element?.getAttribute('aria-label') || element?.textContent || element?.id || '').trim();
    });

  /** Presses Tab until something of that name has the focus. */
  const goTo = async (page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    const seen: string[] = [];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const words = await focused(page);
      if (words === name) return;
      seen.push(words.slice(0, 40));
      await page.keyboard.press(key);
    }
    throw new Error(`Nothing by the name of ${name}; there is ${seen.join(', ')}`);
  };

  const isFocused = (page: Page, name: string) => expect.poll(() => focused(page)).toBe(name);

  /** Opens the jump menu, and goes to what the words name. */
  const jump = async (page: Page, words: string, option: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type(words);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await page.keyboard.press('Enter');
  };

  it('comes to an agent, talks to it, answers it by its form, and stops it', async ({ visit }) => {
    const page = await visit(`${served.url}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await jump(page, 'talk to asker', 'Talk to asker');
    await isFocused(page, 'Message');
    await page.keyboard.type('choice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rather large' }).waitFor();
    await goTo(page, 'Rather large', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('completed').waitFor();
    // The form is gone, and with it what had the focus.
    await isFocused(page, 'Message');
    await page.keyboard.type('another');
    await page.keyboard.press('Enter');
    await page.getByText('What is your name?').waitFor();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await page.getByText('Hello, Ada!').waitFor();
    await page.keyboard.type('for the asker');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await isFocused(page, 'Message');
    await page.keyboard.type(' alone');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('for the asker alone');
    await jump(page, 'talk to narrator', 'Talk to narrator');
    await page.getByRole('heading', { name: 'Talk to narrator' }).waitFor();
    await isFocused(page, 'Message');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
    await page.keyboard.type('100000 50');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Task / }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('canceled').waitFor();
  });

  it('loses no letter that was typed before the jump menu was loaded', async ({ visit }) => {
    const page = await visit(`${served.url}/console/no-such-page`);
    const gate = Promise.withResolvers<void>();
    await page.route(/command-list/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`${served.url}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nar');
    await page.getByRole('textbox', { name: 'Jump to…' }).waitFor();
    gate.resolve();
    await page.getByRole('option', { name: 'narrator', exact: true, selected: true }).waitFor();
    await page.keyboard.type('rator');
    expect(await page.getByRole('combobox').inputValue()).toBe('narrator');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'narrator' }).waitFor();
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('combobox').inputValue()).toBe('');
  });

  it('finds a task, goes through its events and tabs, and runs it again', async ({ visit }) => {
    const id = await startTask(served.url, 'narrator', '30');
    const page = await visit(`${served.url}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await jump(page, id, `Open the task ${id}`);
    const events = page.getByRole('listbox', { name: 'Events' });
    await events.getByRole('option').last().waitFor();
    await goTo(page, 'Events');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await events.getByRole('option', { selected: true }).getByText('2', { exact: true }).waitFor();
    await goTo(page, 'Artifacts');
    await page.keyboard.press('ArrowRight');
    await isFocused(page, 'Messages');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^2: message/).waitFor();
    await goTo(page, 'Rerun', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isFocused(page, 'Rerun');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await goTo(page, 'Run again');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith('/console/tasks/') && !url.pathname.endsWith(id));
    // The rerun tells what it was made from.
    await page.getByRole('link', { name: id }).waitFor();
  });
});
