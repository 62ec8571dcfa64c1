import { afterAll, beforeAll, expect } from 'vitest';
import type { TaskTree } from '../../../../parley/src/server/operator/console-api.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { startTask } from '../../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

const at = (milliseconds: number) => new Date(1_800_000_000_000 + milliseconds).toISOString();

/** A resumable task with a trace that called another one, which waited for a slot. */
const TREE: TaskTree = {
  isCut: false,
  root: {
    taskId: 'root',
    agent: 'reporter',
    found: {
      contextId: 'c',
      state: 'TASK_STATE_COMPLETED',
      summary: 'The report for <b>Q4</b>',
      createdAt: at(0),
      endedAt: at(4000),
      spans: [{ kind: 'running', from: at(0), to: at(4000) }],
      steps: [
        { name: 'fetch', from: at(-9000), to: at(-8000), seq: 2, isKept: true },
        { name: 'figures', from: at(500), to: at(3500), seq: 3 },
      ],
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      rerunOf: 'earlier-task',
    },
    children: [
      {
        taskId: 'child-task',
        agent: 'analyst',
        children: [],
        found: {
          contextId: 'c',
          state: 'TASK_STATE_COMPLETED',
          createdAt: at(500),
          endedAt: at(3500),
          spans: [
            { kind: 'queued', from: at(500), to: at(2500) },
            { kind: 'running', from: at(2500), to: at(3500) },
          ],
          steps: [],
        },
      },
    ],
  },
};

describeInBrowser('the tree of a task, and what is made of one', () => {
  let served: ServedConsole;
  let id: string;
  beforeAll(async () => {
    served = await serveConsole({ console: { tracingUrl: 'https://traces.example/{traceId}' } });
    id = await startTask(served.url, 'lab', 'chunk 3 8');
  });
  afterAll(() => served.close());

  const answers = { '/tree': TREE };

  it('tells waiting for a slot from running, and links the trace, the callees and the task that was run again', async ({
    visit,
  }) => {
    const page = await visit(`${served.url}/console/tasks/${id}`, { answers });
    await page.getByRole('heading', { level: 1, name: 'The report for <b>Q4</b>' }).waitFor();
    const trace = page.getByRole('link', { name: '4bf92f3577b34da6a3ce929d0e0e4736' });
    expect(await trace.getAttribute('href')).toBe('https://traces.example/4bf92f3577b34da6a3ce929d0e0e4736');
    expect(await page.getByRole('link', { name: 'earlier-task' }).getAttribute('href')).toContain('earlier-task');
    await page.getByRole('tab', { name: 'Time' }).click();
    const rows = page.getByRole('list', { name: 'Where the time went' }).getByRole('listitem');
    const child = rows.filter({ has: page.getByRole('link', { name: 'analyst' }) });
    await child.getByText('2.0 s waiting for a slot, 1.0 s running').waitFor();
    await rows.first().getByText('Step fetch, kept · Step figures, 3.0 s').waitFor();
    const bars = await child
      .locator('[title]')
      .evaluateAll((found) => found.map((bar) => bar.getBoundingClientRect().width));
    expect(bars).toHaveLength(2);
    expect(bars[0] ?? 0).toBeGreaterThan(1.8 * (bars[1] ?? 0));
  });

  it('runs a task again with the same message, an edited one, or from a step', async ({ visit }) => {
    const made = { taskId: 'made-anew', contextId: 'c', agent: 'lab' };
    const page = await visit(`${served.url}/console/tasks/${id}`, {
      answers: { ...answers, '/rerun': made },
      expectedErrors: ['made-anew'],
    });
    const run = async (message: string | undefined, step: string | undefined, button: string) => {
      await page.goto(`${served.url}/console/tasks/${id}`);
      await page.getByRole('button', { name: 'Rerun' }).click();
      const dialog = page.getByRole('dialog');
      if (message !== undefined) await dialog.getByLabel('Message').fill(message);
      if (step !== undefined) await dialog.getByLabel('From').selectOption(step);
      const [request] = await Promise.all([
        page.waitForRequest((sent) => sent.url().endsWith('/rerun')),
        dialog.getByRole('button', { name: button }).click(),
      ]);
      await page.waitForURL('**/console/tasks/made-anew');
      return request.postDataJSON() as unknown;
    };
    expect(await run(undefined, undefined, 'Run again')).toEqual({});
    expect(await run('chunk 5', undefined, 'Run with this message')).toEqual({
      message: { role: 'ROLE_USER', parts: [{ text: 'chunk 5' }] },
    });
    expect(await run(undefined, 'figures', 'Run again')).toEqual({ fromStep: 'figures' });
  });

  it('forks the conversation of another caller up to the task, and shows its tasks: the chat would not be theirs', async ({
    visit,
  }) => {
    const page = await visit(`${served.url}/console/tasks/${id}`, {
      answers: { ...answers, '/fork': { contextId: 'forked', taskIds: [] } },
    });
    await page.getByRole('button', { name: 'Fork' }).click();
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/fork')),
      page.getByRole('button', { name: 'Fork and go on in the chat' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ upTo: id });
    // Whoever uses the page has no task in that context.
    await page.waitForURL('**/console/tasks?context=forked');
  });
});
