import { bytes, defineAgent, link } from 'parley-a2a';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { agents } from '../../../../../examples/agents/index.ts';
import { findBarriers } from '../../support/axe.ts';
import { describeInBrowser, it } from '../../support/browser-test.ts';
import { startTask } from '../../support/demo-data.ts';
import { type ServedConsole, serveConsole } from '../../support/serve-console.ts';

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

/** One second of red, 16 by 16 pixels. */
const RED = [
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIcEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTb',
  'uMU6uEElTDZ1OsggEMTbuMU6uEHFO7a1OsggIG7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiECPQAAAAAAAFl',
  'Sua8GuAQAAAAAAADjXgQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhAvrwgDgibCBELqBEJqBAhJUw2fRc3POY8CLY8WI',
  'AAAAAAAAAAFnyJhFo4dFTkNPREVSRIeLTGF2YyBsaWJ2cHhnyKJFo4hEVVJBVElPTkSHlDAwOjAwOjAxLjAwMDAwMDAwMAAAH0O2dUCe54EAo7',
  '2BAACA8AIAnQEqEAAQAABHCIWFiIWEiAICAnWqA/gD+gINTRgA/v1u8//jmTcwxP+Obf/xYTwOKMj/8VEAo5WBAMgAsQEAARAQABgAGFgv9AAI',
  'AACjlYEBkACxAQABEBAAGAAYWC/0AAgAAKOVgQJYALEBAAEQEAAYABhYL/QACAAAo5WBAyAAsQEAARAQABgAGFgv9AAIAAAcU7trkbuPs4EAt4',
  'r3gQHxggFi8IED',
].join('');

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const PICTURE: GivenFile = { name: 'image.png', type: 'image/png', base64: PIXEL };
const SOUND: GivenFile = { name: 'silence.wav', type: 'audio/wav', base64: silence() };
const FILM: GivenFile = { name: 'film.webm', type: 'video/webm', base64: RED };
const DAMAGED_FILM: GivenFile = { name: 'damaged.webm', type: 'video/webm', base64: 'GkXfow==' };
const DAMAGED_PICTURE: GivenFile = { name: 'damaged.png', type: 'image/png', base64: 'iVBORw==' };

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
    const reached = films.last().evaluate(async (element) => {
      const film = element as HTMLVideoElement;
      film.muted = true;
      await film.play();
      film.pause();
      film.currentTime = 0.5;
      await new Promise((resolve) => film.addEventListener('seeked', resolve, { once: true }));
      return film.currentTime;
    });
    expect(await reached).toBeCloseTo(0.5, 1);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('say so where the browser cannot show them, and are saved all the same', async ({ visit }) => {
    const page = await visit(`${served.url}/console/talk/echo`);
    await field(page).waitFor();
    await hand(page, 'drop', [DAMAGED_FILM, DAMAGED_PICTURE]);
    await expect.poll(() => attached(page).count()).toBe(2);
    await field(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('This browser cannot play the file').count()).toBe(2);
    await expect.poll(() => page.getByText('This browser cannot show the file').count()).toBe(2);
    expect(await page.getByRole('log').locator('video, img').count()).toBe(0);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save' }).first().click(),
    ]);
    expect(saved.suggestedFilename()).toBe('damaged.webm');
    expect(await findBarriers(page)).toEqual([]);
  });

  it('are seen and saved on the page of a task too, at each of its events', async ({ visit }) => {
    const film = defineAgent({
      name: 'film',
      description: 'Makes a film',
      version: '1.0.0',
      async run(task) {
        const artifact = task.artifact({ name: 'The film' });
        await artifact.write(bytes(Buffer.from(RED, 'base64'), { filename: 'red.webm', mediaType: 'video/webm' }));
        await artifact.end();
        await task.artifact({ name: 'Elsewhere' }).end(link('https://films.example.com/red.webm', { filename: 'red' }));
      },
    });
    await using other = await serveConsole({ agents: [film] });
    const id = await startTask(other.url, 'film', 'Go');
    const page = await visit(`${other.url}/console/tasks/${id}`);
    const artifact = page.getByRole('article', { name: 'Artifact The film' });
    const length = () => artifact.locator('video').evaluate((element) => (element as HTMLVideoElement).duration);
    await expect.poll(length).toBeCloseTo(1, 1);
    const source = await artifact.locator('video').getAttribute('src');
    await page.getByRole('slider', { name: 'Event' }).press('ArrowLeft');
    expect(await artifact.locator('video').getAttribute('src')).toBe(source);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      artifact.getByRole('link', { name: 'Save' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('red.webm');
    const elsewhere = page.getByRole('link', { name: 'https://films.example.com/red.webm' });
    expect(await elsewhere.getAttribute('rel')).toContain('noopener');
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
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
