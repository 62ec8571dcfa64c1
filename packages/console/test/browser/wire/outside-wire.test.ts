import { A2AServer, defineAgent } from 'parley-a2a';
import { afterAll, beforeAll, expect } from 'vitest';
import { hostile } from '../../attack/hostile-agent.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';

const outside = defineAgent({
  name: 'outside',
  description: 'Lives elsewhere',
  version: '1.0.0',
  async *run(task) {
    yield `far ${task.text}`;
  },
});

describeInBrowser('an outside agent on the wire of the console', () => {
  const home = new A2AServer({ agents: [hostile], console: true, drainTimeout: 0 });
  const elsewhere = new A2AServer({ agents: [outside], drainTimeout: 0 });
  beforeAll(async () => {
    await Promise.all([home.listen({ port: 0 }), elsewhere.listen({ port: 0 })]);
  });
  afterAll(() => Promise.all([home.close(), elsewhere.close()]));

  it('is talked to through the relay, and shown as it got the request', async ({ visit }) => {
    const agent = new URL('/a2a/agents/outside', elsewhere.url).href;
    const page = await visit(`${home.consoleUrl}talk/${encodeURIComponent(agent)}`);
    await page.getByRole('textbox', { name: /message/i }).fill('away');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('far away').waitFor();
    await page.getByRole('button', { name: 'Open the wire' }).click();
    await page.getByRole('button', { name: /sendStreamingMessage/ }).click();
    const wire = page.getByRole('complementary', { name: 'Wire' });
    await wire.getByText(`POST ${agent}`).waitFor();
    await wire.getByRole('region', { name: 'Frames' }).getByText('far away').first().waitFor();
    await wire.getByRole('tab', { name: 'Headers' }).click();
    const headers = await wire.getByRole('term').allTextContents();
    // What the relay itself needs does not go on.
    expect(headers).toContain('a2a-version');
    expect(headers.filter((name) => /^(origin|cookie|referer|sec-)/.test(name))).toEqual([]);
    await wire.getByRole('button', { name: 'curl' }).click();
    const curl = await wire.getByRole('region', { name: 'the curl text' }).textContent();
    expect(curl).toContain(`curl -sS -N ${agent}`);
    // What belongs to the connection of the relay is no part of a copy.
    expect(curl).not.toMatch(/-H '(host|connection|content-length|accept-encoding):/i);
    await wire.getByRole('button', { name: 'parley' }).click();
    await expect
      .poll(() => wire.getByRole('region', { name: 'the parley text' }).textContent())
      .toBe(`parley stream ${agent} \\\n  away`);
  });
});
