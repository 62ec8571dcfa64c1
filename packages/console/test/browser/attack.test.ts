import { A2AClient } from 'parley-a2a';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { HOSTILE_CARD, HOSTILE_NAMES, MALFORMED_CARDS } from '../attack/corpus.ts';
import { hostile } from '../attack/hostile-agent.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

/** What an agent must not bring into the page, each with how often it is there. */
function findForeignElements(): Record<string, number> {
  const selectors = {
    scripts: 'body script:not([src^="/console/"])',
    frames: 'iframe, object, embed, frame',
    forms: 'form[action]',
    'heads in the body': 'body base, body meta, body link, body style',
    'other pictures': 'img:not([src^="blob:"]):not([src^="/console/"])',
    'other media': 'video:not([src^="blob:"]), audio:not([src^="blob:"])',
    'links that act': 'a[href^="javascript:" i], a[href^="data:" i], a[href^="vbscript:" i], a[href^="file:" i]',
    'links that tell':
      'a[href^="http"]:not([href*="127.0.0.1"]):not([rel~="noopener"][rel~="noreferrer"][target="_blank"])',
    'links to a document here': 'a[href^="blob:"]:not([download])',
  };
  const counts = Object.entries(selectors).map(([name, selector]) => [
    name,
    document.querySelectorAll(selector).length,
  ]);
  const handlers = [...document.querySelectorAll('*')].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc' || name === 'style-src'),
  );
  return Object.fromEntries([...counts, ['handlers', handlers.length]].filter(([, count]) => count !== 0));
}

/** No script ran, nothing foreign is in the page, and the page is of use. What left for other origins fails the test itself. */
async function expectUnharmed(page: Page): Promise<void> {
  expect(await page.evaluate(findForeignElements)).toEqual({});
  const seen = await page.evaluate(() => ({
    owned: Reflect.get(globalThis, 'owned'),
    polluted: Reflect.get({}, 'polluted'),
    isVisible: document.body.checkVisibility(),
    isWider: document.documentElement.scrollWidth > innerWidth,
  }));
  expect(seen).toEqual({ owned: undefined, polluted: undefined, isVisible: true, isWider: false });
  expect(await page.title()).toContain('Parley console');
  await page.getByRole('link', { name: 'Operate' }).waitFor();
}

/** The same in every view of the page. */
async function expectUnharmedTabs(page: Page): Promise<void> {
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expectUnharmed(page);
  }
}

describeInBrowser('a hostile agent in the console', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents: [hostile] });
  });
  afterAll(() => served.close());

  it('runs no script and reaches nobody by what it says, wherever that is shown', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/hostile`);
    await page.getByRole('textbox').first().fill('<script>globalThis.owned=1</script> go');
    await page.keyboard.press('Enter');
    await page.getByText('the end of the attack').first().waitFor();
    await expectUnharmed(page);
    // A link that calls itself something else says where it leads.
    const place = page.getByText('(attacker.example)').first();
    await place.waitFor();
    // Marks of direction in what stands around turn neither that nor values of data.
    expect(await place.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate');
    const data = await page.getByRole('figure', { name: 'Data' }).allTextContents();
    expect(data.join('')).toContain('\\u202e');
    expect(data.join('')).not.toMatch(/\p{Bidi_Control}/u);

    const saved = await downloadNames(page);
    expect(saved.length).toBeGreaterThanOrEqual(HOSTILE_NAMES.length);
    for (const name of saved) expect(name).toMatch(/^[^\p{Cc}\p{Cf}\\/:*?"<>|.][^\p{Cc}\p{Cf}\\/:*?"<>|]{0,119}$/u);

    await page.getByRole('button', { name: 'Open the wire' }).click();
    await page.getByRole('button', { name: /sendStreamingMessage/ }).click();
    await page.getByRole('region', { name: 'Frames' }).waitFor();
    await page.getByRole('button', { name: 'TypeScript' }).click();
    await page.getByLabel('As sent').check();
    await expectUnharmed(page);
    expect(await page.getByRole('region', { name: 'Frames' }).textContent()).not.toMatch(/\p{Bidi_Control}/u);

    const [{ id } = { id: '' }] = (await new A2AClient(`${served.url}/a2a/agents/hostile`).listTasks()).tasks;
    await page.goto(`${served.url}/console/tasks`);
    await page.locator(`a[href$="${id}"]`).waitFor();
    await expectUnharmed(page);
    await page.goto(`${served.url}/console/tasks/${id}`);
    await page.getByText('completed').first().waitFor();
    await expectUnharmedTabs(page);
  });

  it('runs no script and reaches nobody by its card', async ({ visit }) => {
    const page = await visit(`${served.url}/console/`);
    await page.getByText('hostile').first().waitFor();
    await expectUnharmed(page);
    await page.route('**/agent-card.json', async (route) => {
      const card = await (await route.fetch()).json();
      await route.fulfill({ json: { ...card, ...HOSTILE_CARD } });
    });
    await page.goto(`${served.url}/console/agents/hostile`);
    await page.getByRole('tab', { name: 'Card' }).waitFor();
    await expectUnharmedTabs(page);
    await page.goto(`${served.url}/console/wire?view=access&agent=hostile`);
    await page.getByText('asks for no credentials').waitFor();
    await expectUnharmed(page);
  });

  it('leaves the pages standing, whatever its card has in the place of texts and lists', async ({ visit }) => {
    const page = await visit(`${served.url}/console/`);
    let laid: object = {};
    await page.route('**/agent-card.json', async (route) => {
      const sound = await (await route.fetch()).json();
      await route.fulfill({ json: { ...sound, ...laid } });
    });
    for (const card of MALFORMED_CARDS) {
      laid = card;
      await page.goto(`${served.url}/console/agents/hostile`);
      await page.getByRole('tab', { name: 'Card' }).or(page.getByRole('alert')).first().waitFor();
      await expectUnharmedTabs(page);
      expect(await page.getByText('This page cannot be shown').count()).toBe(0);
      await page.goto(`${served.url}/console/wire?view=access&agent=hostile`);
      await page.getByRole('button', { name: 'Try it' }).or(page.getByRole('alert')).first().waitFor();
      await expectUnharmed(page);
      expect(await page.getByText('This page cannot be shown').count()).toBe(0);
    }
  });
});

/** The names under which the files of the page would be saved. */
async function downloadNames(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a[download]')].map((a) => a.getAttribute('download') ?? ''),
  );
}
