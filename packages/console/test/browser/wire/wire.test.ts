import { type Agent, defineAgent } from 'parley-a2a';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

/** Goes on when the test says so. */
const gate: { open: () => void; opened: Promise<void> } = { open: () => {}, opened: Promise.resolve() };

function closeGate(): void {
  gate.opened = new Promise((resolve) => {
    gate.open = resolve;
  });
}

const writer: Agent = defineAgent({
  name: 'writer',
  description: 'Writes two halves, and waits in between',
  version: '1.0.0',
  async *run(task) {
    if (task.text === 'short') {
      yield 'an answer';
      return;
    }
    for (let number = 1; number <= 5; number += 1) yield `first-${number} `;
    await gate.opened;
    for (let number = 1; number <= 5; number += 1) yield `second-${number} `;
  },
});

const LOCKED_CARD = {
  securitySchemes: {
    team: { apiKeySecurityScheme: { location: 'header', name: 'X-Team-Key', description: 'Ask Ann' } },
  },
  securityRequirements: [{ schemes: { team: { list: [] } } }],
};

/** Puts a lock before the agent: its card asks for something, and requests without the header are refused. */
async function lock(page: Page, [header, value]: readonly [string, string], card: object): Promise<void> {
  await page.route('**/a2a/agents/writer/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...card } });
  });
  await page.route('**/a2a/agents/writer', async (route) => {
    if (route.request().headers()[header] === value) return route.continue();
    await route.fulfill({ status: 401, headers: { 'www-authenticate': 'Bearer realm="team"' }, json: {} });
  });
}

describeInBrowser('the wire of the console', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: [writer] });
  });
  afterAll(() => served.close());
  const say = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: /message/i }).fill(text);
    await page.keyboard.press('Enter');
  };

  it('shows frames as they come, cuts the stream, and tells how it was resumed', async ({ visit }) => {
    closeGate();
    const page = await visit(`${served.url}/console/talk/writer`);
    await say(page, 'long');
    await page.getByText('first-5').first().waitFor();
    await page.getByRole('button', { name: 'Open the wire' }).click();
    await page.getByRole('button', { name: /sendStreamingMessage.*200 live/ }).click();
    const frames = page.getByRole('region', { name: 'Frames' });
    await frames.getByText('first-5').waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const report = page.getByRole('list', { name: 'Streams that were cut' });
    await report.getByText(/was cut after position \d+\. It is not taken up again yet/).waitFor();
    gate.open();
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await report.getByText(/It was resumed after position (\d+).*\d+ events? came since.*none of them twice/).waitFor();
    await page
      .getByRole('log')
      .getByText(/first-1 .*first-5 second-1 .*second-5/)
      .waitFor();
    await page.getByRole('link', { name: 'Open as a page' }).click();
    await page.getByRole('button', { name: 'Close the drawer' }).click();
    await page.getByRole('button', { name: /sendStreamingMessage.*cut/ }).click();
    await frames.getByText('first-1').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('copies a request as text that runs, with secrets masked', async ({ visit }) => {
    const page = await visit(`${served.url}/console/wire?view=access&agent=writer`);
    await page.getByRole('textbox', { name: 'Name' }).fill('X-Team');
    await page.getByLabel('Value').fill('t0p-secret');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('This page speaks').selectOption('0.3-jsonrpc');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page
      .getByRole('link', { name: /writer/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Talk' }).first().click();
    await say(page, 'short');
    await page.getByRole('log').getByText('an answer').waitFor();
    await page.getByRole('button', { name: 'Open the wire' }).click();
    await page.getByRole('button', { name: /sendStreamingMessage.*message\/stream/s }).click();
    const wire = page.getByRole('complementary', { name: 'Wire' });
    await wire.getByRole('button', { name: 'parley' }).click();
    await wire.getByText('parley stream').waitFor();
    const command = await wire.getByRole('region', { name: 'the parley text' }).textContent();
    expect(command).toContain('--protocol 0.3');
    expect(command).toContain(`--header 'x-team: '"\${X_TEAM:?}"`);
    await wire.getByLabel('Show secrets').check();
    await wire.getByRole('button', { name: 'test' }).click();
    await wire.getByText('replay(recording)').waitFor();
    expect(await wire.getByRole('region', { name: 'the test text' }).textContent()).toContain("toBe('an answer')");
    await wire.getByRole('tab', { name: 'Headers' }).click();
    await wire.getByText('t0p-secret').waitFor();
  });

  it('compares dialects on the same message', async ({ visit }) => {
    const page = await visit(`${served.url}/console/wire?view=compare&agent=writer`);
    await page.getByLabel('Message').fill('short');
    await page.getByLabel('JAF').check();
    await page.getByRole('button', { name: 'Send and compare' }).click();
    await expect.poll(() => page.getByText('same answer').count()).toBe(3);
    const jaf = page.getByRole('region', { name: 'JAF' });
    expect(await jaf.locator('mark').allTextContents()).toContainEqual(expect.stringContaining('"completion"'));
    const rest = page.getByRole('region', { name: '1.0 over HTTP+JSON' });
    expect((await rest.locator('mark').allTextContents()).join('')).not.toContain('ROLE_USER');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('walks through a 401: what the card asks, a key, and the door opens', async ({ visit }) => {
    const page = await visit(`${served.url}/console/wire`, { expectedErrors: ['401'] });
    await lock(page, ['x-team-key', 'open-sesame'], LOCKED_CARD);
    await page.goto(`${served.url}/console/talk/writer`);
    await say(page, 'short');
    await page.getByRole('alert').getByRole('link', { name: 'Agent settings' }).click();
    await page.getByText('A key, sent as the header X-Team-Key.').waitFor();
    await page.getByText('Ask Ann').waitFor();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/refused a request with 401.*Bearer realm="team"/).waitFor();
    await page.getByLabel('Token or key').fill('open-sesame');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('let in').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});
