import type { Pair } from '../pair.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { entryHtml, standingHtml } from './talk.ts';

/**
 * Goes on where the page was written. The browser connects again by itself and names the last message that it got; only
 * where it was answered with an error, as by a proxy in front of a relay that is down, it has to be told to.
 */
const SCRIPT = `
const talk = document.getElementById('talk');
const standing = document.getElementById('standing');
const connection = document.getElementById('connection');
const address = location.pathname.replace(/\\/$/, '') + '/events?after=';
let last = Number(talk.dataset.last);
function follow() {
  const events = new EventSource(address + last);
  events.onopen = () => { connection.textContent = 'Live.'; };
  events.onmessage = ({ data }) => {
    const { number, html } = JSON.parse(data);
    if (number <= last) return;
    last = number;
    const atEnd = innerHeight + scrollY >= document.body.scrollHeight - 80;
    talk.insertAdjacentHTML('beforeend', html);
    if (atEnd) scrollTo(0, document.body.scrollHeight);
  };
  events.addEventListener('standing', ({ data }) => {
    standing.innerHTML = JSON.parse(data).html;
  });
  events.onerror = () => {
    connection.textContent = 'Connecting again…';
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  };
}
follow();
`;

/** The talk as it is now, which then goes on by itself. */
export function pairPage(pair: Pair): Response {
  const entries = pair.after(0);
  const body = html`<main>
<p><a href="/">All pairs</a></p>
<h1>Pair ${pair.id}</h1>
<div role="status" id="standing">${standingHtml(pair.standing)}</div>
<p id="connection"></p>
<ol role="log" id="talk" aria-label="What was said" data-last="${entries.length}">${entries.map(entryHtml)}</ol>
</main>`;
  return page(`Pair ${pair.id}`, body, SCRIPT);
}
