import type { Page } from 'playwright-core';
import type { DemoTasks } from '../support/demo-data.ts';

/** A screen of the console: where it is, and what a person does there before the picture is taken. */
export interface Screen {
  readonly name: string;
  /** Below `/console`. */
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The main screens; every one of them is looked at by axe too. */
export function screensOf(tasks: DemoTasks): readonly Screen[] {
  const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();
  const waitForEvents = (page: Page) => page.getByRole('option').first().waitFor();
  const onTab = (name: string) => async (page: Page) => {
    await waitForEvents(page);
    await openTab(name)(page);
  };
  return [
    { name: 'agents', path: '/' },
    { name: 'tasks', path: '/tasks', prepare: (page) => page.getByRole('list', { name: 'Tasks' }).waitFor() },
    { name: 'task', path: `/tasks/${tasks.report}`, prepare: waitForEvents },
    { name: 'task-messages', path: `/tasks/${tasks.question}`, prepare: onTab('Messages') },
    { name: 'task-event', path: `/tasks/${tasks.report}#4`, prepare: onTab('Event') },
    { name: 'task-time', path: `/tasks/${tasks.report}`, prepare: onTab('Time') },
    { name: 'operate', path: '/operate' },
  ];
}
