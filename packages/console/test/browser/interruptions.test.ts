import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from 'parley-a2a/sqlite';
import { expect } from 'vitest';
import { createGatedAgent } from '../chat/agents.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

describeInBrowser('a stream that is interrupted', () => {
  it('goes on after a reload of the page, and nothing is lost or doubled', async ({ visit }) => {
    const { agent, letOn } = createGatedAgent();
    await using served = await serveConsole({ agents: [agent] });
    const page = await visit(`${served.url}/console/talk/gated`);
    const answer = page.getByRole('group', { name: 'Answer' });
    await page.getByRole('textbox', { name: 'Message' }).fill('go');
    await page.keyboard.press('Enter');
    await answer.getByText('first').waitFor();
    await page.reload();
    await answer.getByText('first').waitFor();
    letOn();
    await page.getByText('completed').waitFor();
    expect(await answer.innerText()).toMatch(/first second$/);
    expect(await page.getByRole('log').getByRole('article').count()).toBe(1);
    // Before its server goes: a request that is refused then would count as a fault of the page.
    await page.close();
  });

  it('goes on after a restart of the server, and the page says that it was lost meanwhile', async ({ visit }) => {
    const folder = await mkdtemp(join(tmpdir(), 'console-restart-'));
    try {
      const store = () => sqlite(join(folder, 'tasks.db'));
      const first = createGatedAgent();
      const before = await serveConsole({ agents: [first.agent], store: store() });
      const page = await visit(`${before.url}/console/talk/gated`, { expectedErrors: ['ERR_'] });
      const answer = page.getByRole('group', { name: 'Answer' });
      await page.getByRole('textbox', { name: 'Message' }).fill('go');
      await page.keyboard.press('Enter');
      await answer.getByText('first').waitFor();
      await before.close();
      await page.getByText('The connection was lost.').waitFor();
      const second = createGatedAgent();
      await using _after = await serveConsole(
        { agents: [second.agent], store: store() },
        Number(new URL(before.url).port),
      );
      second.letOn();
      await page.getByText('completed').waitFor();
      expect(await answer.innerText()).toMatch(/first second$/);
      await page.getByText('Connected').waitFor();
      await page.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
