import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { agents } from '../../../../examples/agents/index.ts';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { type ServedConsole, serveConsole } from '../support/serve-console.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** Samples in a second, and the length of a sound in seconds. */
const RATE = 8000;
const LENGTH = 0.5;

/** A sound without any sound in it: WAV of one channel with 8 bits. */
function silence(): string {
  const count = RATE * LENGTH;
  const file = Buffer.alloc(44 + count, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + count, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(count, 40);
  return file.toString('base64');
}

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const PICTURE: GivenFile = { name: 'image.png', type: 'image/png', base64: PIXEL };
const SOUND: GivenFile = { name: 'silence.wav', type: 'audio/wav', base64: silence() };
const FILM: GivenFile = { name: 'film.webm', type: 'video/webm', base64: 'GkXfow==' };

/** Hands files to the page as a person does who pastes or drops them. */
function hand(page: Page, way: 'paste' | 'drop', files: readonly GivenFile[]): Promise<void> {
  return page.evaluate(
    ([kind, given]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([content], name, { type, lastModified: 0 }));
      }
      const shape = { bubbles: true, cancelable: true };
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...shape, clipboardData: data })
          : new DragEvent('drop', { ...shape, dataTransfer: data });
      (document.querySelector('textarea') ?? document.body).dispatchEvent(event);
    },
    [way, files] as const,
  );
}

describeInBrowser('pictures, sound and films in a conversation', () => {
  let served: ServedConsole;
  beforeAll(async () => {
    served = await serveConsole({ agents });
  });
  afterAll(() => served.close());

  const attached = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });

  it('are pasted, twice the same too, and sent without a word', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    await field(page).waitFor();
    await hand(page, 'paste', [PICTURE]);
    await hand(page, 'paste', [PICTURE]);
    await expect.poll(() => attached(page).count()).toBe(2);
    await field(page).focus();
    // Files are read before they are sent: who is impatient does not send them twice.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    // Two in the message, two in the answer.
    await expect.poll(() => page.getByRole('log').getByRole('img', { name: 'image.png' }).count()).toBe(4);
    expect(await page.getByRole('log').getByRole('article').count()).toBe(1);
    expect(await attached(page).count()).toBe(0);
  });

  it('are dropped together, and played where they came', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    await field(page).waitFor();
    await hand(page, 'drop', [SOUND, FILM, PICTURE]);
    await expect.poll(() => attached(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    await field(page).fill('Listen');
    await page.keyboard.press('Enter');
    const sounds = page.getByRole('log').locator('audio[controls]');
    await expect.poll(() => sounds.count()).toBe(2);
    const length = () => sounds.last().evaluate((sound) => (sound as HTMLAudioElement).duration);
    await expect.poll(length).toBeCloseTo(LENGTH, 1);
    const films = page.getByRole('log').locator('video[controls][aria-label="film.webm"]');
    expect(await films.count()).toBe(2);
    expect(await films.last().getAttribute('src')).toMatch(/^blob:/);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('are not sent where one of them cannot be read, and the page says which', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    await field(page).waitFor();
    await page.evaluate(() => {
      // As it is with a folder that was dropped, or a file that is gone since.
      File.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    });
    await hand(page, 'drop', [PICTURE]);
    await field(page).fill('Look');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('"image.png" cannot be read').waitFor();
    expect(await field(page).inputValue()).toBe('Look');
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await field(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Look').first().waitFor();
  });
});
