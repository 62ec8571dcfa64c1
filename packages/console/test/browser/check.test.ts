import { A2AServer, defineAgent } from 'parley-a2a';
import { afterAll, beforeAll, expect } from 'vitest';
import { lab } from '../../../../examples/agents/index.ts';
import { brokenServer } from '../../../parley/test/check/support/broken-server.ts';
import { CHECK_MS } from '../screenshots/screens.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

/** Never replies. */
const stuck = defineAgent({
  name: 'stuck',
  description: 'Never replies',
  version: '1.0.0',
  run: (task) =>
    new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(task.signal.reason), { once: true })),
});

describeInBrowser('a check in the console', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: [lab, stuck], push: { retry: { firstDelay: 20 } } });
  });
  afterAll(() => served.close());

  it('fills while it runs, stops when a person says so, and leaves what was found', async ({ visit }) => {
    const page = await visit(`${served.url}/console/wire?view=check`);
    await page.getByText('Nothing checked yet').waitFor();
    await page.getByLabel('Agent', { exact: true }).selectOption('stuck');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    // The rules about the card are known while the first message waits for its response.
    await page.getByText(/stuck, 1\.0 jsonrpc.*: [1-9]\d* of \d+ rules looked at/).waitFor();
    const rules = page.getByRole('list', { name: 'Rules' });
    await rules.getByText('card.well-known', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped it').waitFor();
    await rules.getByText('card.well-known', { exact: true }).waitFor();
    // Nothing of the check is left on the server: as many as there may be begin again.
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/rules looked at/).waitFor();
    // Leaving the view is as good as stopping.
    await page.getByRole('tab', { name: 'Traffic' }).click();
    await expect.poll(() => checkIsFree(served.url)).toBe(true);
  });

  it('shows what an outside agent breaks first, with its requests and responses, and as a command', async ({
    visit,
  }) => {
    const url = await brokenServer({ headers: (headers) => ({ ...headers, etag: undefined }) });
    const page = await visit(
      `${served.url}/console/wire?view=check&agent=${encodeURIComponent(`${url}/a2a/agents/lab`)}`,
    );
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/rules looked at with \d+ requests in/).waitFor({ timeout: CHECK_MS });
    const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
    const first = rules.first();
    expect(await first.textContent()).toMatch(/^(FAIL|WARN)card\.etag/);
    await page.getByRole('button', { name: /skipped/ }).click();
    await expect.poll(() => first.textContent()).toMatch(/^SKIP/);
    await page.getByRole('button', { name: /passed/ }).click();
    await page.getByLabel('Find a rule').fill('send.wrapped');
    await expect.poll(() => rules.count()).toBe(1);
    await first.getByText('Requests and responses').click();
    await first
      .getByText(/"method": "SendMessage"/)
      .first()
      .waitFor();
    await first
      .getByText(/HTTP 200/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy as CLI' }).click();
    expect(await page.getByRole('region', { name: 'the command' }).textContent()).toBe(
      `parley check ${url}/a2a/agents/lab`,
    );
    expect(await findBarriers(page)).toEqual([]);
  });

  it('says what is wrong with an address, in words', async ({ visit }) => {
    const page = await visit(`${served.url}/console/wire?view=check&agent=${encodeURIComponent('http://10.0.0.1/')}`, {
      expectedErrors: ['400'],
    });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/The address "http:\/\/10\.0\.0\.1\/" must not lead to/)
      .waitFor();
  });
});

describeInBrowser('a check behind credentials', () => {
  it('uses those of the page for agents of its server, and does not show them', async ({ visit }) => {
    const server = new A2AServer({
      agents: [lab],
      console: true,
      auth: { type: 'bearer', validate: (token) => ({ subject: token, scopes: ['parley:operator'] }) },
      log: { error: () => {}, warn: () => {} },
    });
    await server.listen({ port: 0 });
    const page = await visit(`${server.consoleUrl}wire?view=check&agent=lab`, { expectedErrors: ['401'] });
    await page.getByLabel('Token', { exact: true }).fill('the-boss');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy as CLI' }).click();
    const command = await page.getByRole('region', { name: 'the command' }).textContent();
    expect(command).toContain(`--header 'authorization: Bearer '"\${TOKEN:?}"`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    // Whoever was not let in would fail at the first message.
    await page.getByRole('listitem').filter({ hasText: 'send.wrapped' }).filter({ hasText: 'PASS' }).waitFor();
    expect(await page.textContent('body')).not.toContain('the-boss');
    await page.close();
    await server.close();
  });
});

async function checkIsFree(url: string): Promise<boolean> {
  const body = JSON.stringify({ agent: 'lab', only: ['none'] });
  const headers = { 'content-type': 'application/json' };
  const statuses = await Promise.all(
    [1, 2].map(() => fetch(`${url}/a2a/operator/check`, { method: 'POST', body, headers })),
  );
  return statuses.every(({ status }) => status === 200);
}
