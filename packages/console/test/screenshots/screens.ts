import type { Page } from 'playwright-core';
import type { DemoTasks } from '../support/demo-data.ts';

/** A screen of the console: where it is, and what a person does there before the picture is taken. */
export interface Screen {
  readonly name: string;
  /** Below `/console`. */
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
  /** The documents have a picture of it. */
  readonly isInDocs?: boolean;
}

/** The server ends a check after this time, on any machine. */
export const CHECK_MS = 180_000;

export async function openScreen(page: Page, origin: string, { path, prepare }: Screen): Promise<void> {
  await page.goto(`${origin}/console${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
}

/** The main screens; every one of them is looked at by axe too. */
export function screensOf(tasks: DemoTasks): readonly Screen[] {
  const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();
  const waitForEvents = (page: Page) => page.getByRole('option').first().waitFor();
  const onTab = (name: string) => async (page: Page) => {
    await waitForEvents(page);
    await openTab(name)(page);
  };
  const talk = `/talk/reporter?task=${tasks.report}`;
  return [
    { name: 'agents', path: '/' },
    { name: 'agent', path: '/agents/reporter', prepare: (page) => page.getByText('Skills').first().waitFor() },
    { name: 'outside', path: '/outside' },
    { name: 'talk-empty', path: '/talk/lab' },
    { name: 'talk', path: talk, prepare: showReport, isInDocs: true },
    { name: 'talk-question', path: `/talk/lab?task=${tasks.question}`, prepare: showQuestion },
    { name: 'tasks', path: '/tasks', prepare: showTasks, isInDocs: true },
    { name: 'task', path: `/tasks/${tasks.report}`, prepare: waitForEvents, isInDocs: true },
    { name: 'task-messages', path: `/tasks/${tasks.question}`, prepare: onTab('Messages') },
    { name: 'task-event', path: `/tasks/${tasks.report}#4`, prepare: onTab('Event') },
    { name: 'task-time', path: `/tasks/${tasks.report}`, prepare: onTab('Time') },
    { name: 'operate', path: '/operate' },
    { name: 'wire', path: '/talk/reporter', prepare: showTraffic, isInDocs: true },
    { name: 'compare', path: '/wire?view=compare&agent=echo', prepare: compareDialects },
    { name: 'check', path: '/wire?view=check&agent=echo', prepare: runCheck, isInDocs: true },
    { name: 'access', path: '/wire?view=access&agent=echo', prepare: (page) => page.getByText('Try it').waitFor() },
    { name: 'jump', path: '/', prepare: openJumpMenu },
    { name: 'lost', path: '/no-such-page' },
  ];
}

/** From its beginning: a conversation opens at its end. */
async function showReport(page: Page): Promise<void> {
  await page.getByText('completed').first().waitFor();
  await page.evaluate(() => scrollTo(0, 0));
}

async function showTasks(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Tasks' }).waitFor();
}

async function showQuestion(page: Page): Promise<void> {
  await page.getByText('Which colour do you want?').first().waitFor();
}

async function showTraffic(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Report on the first quarter');
  await page.keyboard.press('Enter');
  await page.getByText('completed').first().waitFor();
  await page.getByRole('button', { name: 'Open the wire' }).click();
  await page.getByRole('link', { name: 'Open as a page' }).click();
  await page.getByRole('button', { name: 'Close the drawer' }).click();
  await page
    .getByRole('button', { name: /sendStreamingMessage/ })
    .first()
    .click();
}

async function compareDialects(page: Page): Promise<void> {
  await page.getByLabel('Message').fill('Hello');
  await page.getByRole('button', { name: 'Send and compare' }).click();
  await page.getByText('same answer').first().waitFor();
}

async function runCheck(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText(/rules looked at with/).waitFor({ timeout: CHECK_MS });
}

async function openJumpMenu(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
}
