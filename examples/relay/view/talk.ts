import { bytesOf, type Part } from 'parley-a2a';
import type { Side, Standing } from '../epoch.ts';
import type { Entry } from '../pair.ts';
import { type Html, html } from './html.ts';

const NAMES: Readonly<Record<Side, string>> = { a: 'A', b: 'B' };

/** One message of the talk. */
export function entryHtml({ number, epoch, side, message }: Entry): Html {
  const talk = epoch > 1 ? `${number}, talk ${epoch}` : `${number}`;
  return html`<li class="${side}" id="message-${number}"><article aria-label="${NAMES[side]}, message ${talk}">
<header><b>${NAMES[side]}</b> <small>${talk}</small></header>${message.parts.map(partHtml)}</article></li>`;
}

function partHtml(part: Part): Html {
  switch (part.kind) {
    case 'text':
      return html`<p>${part.text}</p>`;
    case 'data':
      return html`<pre tabindex="0" aria-label="Data">${JSON.stringify(part.data, null, 2)}</pre>`;
    case 'bytes':
      return html`<p class="file">File ${part.filename ?? 'without a name'}, ${part.mediaType ?? 'of unknown type'}, ${bytesOf(part).length} bytes</p>`;
    case 'link':
      return html`<p class="file">${linkHtml(part.url)}</p>`;
  }
}

/** Only what leads to a page can be followed: a participant may send any address. */
function linkHtml(url: string): Html {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
    : html`${url}`;
}

/** Whose turn it is and how the two tasks stand. */
export function standingHtml({ a, b, turn, isOver }: Standing): Html {
  const headline = headlineOf(turn, isOver, a === 'absent');
  const sides = (
    [
      ['a', a],
      ['b', b],
    ] as const
  ).map(([side, state]) => html`<span class="${side}"><b>${NAMES[side]}</b> ${state}</span> `);
  return html`<strong>${headline}</strong> ${sides}`;
}

function headlineOf(turn: Side | undefined, isOver: boolean, isEmpty: boolean): string {
  if (isOver) return 'This talk is over. The next message begins another.';
  if (turn !== undefined) return `It is ${NAMES[turn]}’s turn.`;
  return isEmpty ? 'Waiting for the first participant.' : 'Waiting for the second participant.';
}
