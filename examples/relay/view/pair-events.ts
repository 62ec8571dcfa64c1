import type { Entry, Pair } from '../pair.ts';
import { entryHtml, standingHtml } from './talk.ts';

/** A comment after so long, so that nothing between takes the connection for dead. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 1000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** What was said after so many messages, and then what is said, for as long as somebody watches. */
export function pairEvents(pair: Pair, after: number, signal: AbortSignal, release: () => void): Response {
  const reader = new AbortController();
  const events = eventsOf(pair, after, AbortSignal.any([signal, reader.signal]));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (reader.signal.aborted) return;
        if (!done) return controller.enqueue(encoder.encode(value));
        release();
        controller.close();
      },
      cancel() {
        reader.abort();
        release();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: HEADERS });
}

/** All that is new at a time as one text. Only messages have ids, so that a reader who comes back lacks none of them. */
async function* eventsOf(pair: Pair, after: number, signal: AbortSignal): AsyncGenerator<string, undefined> {
  let last = after;
  let shown = '';
  yield `retry: ${RETRY_MS}\n\n`;
  while (!signal.aborted) {
    const entries = pair.after(last);
    const { standing: now } = pair;
    const standing = event('standing', { ...now, html: standingHtml(now).markup });
    const news = [...entries.map(messageEvent), ...(standing === shown ? [] : [standing])].join('');
    if (news !== '') {
      last = entries.at(-1)?.number ?? last;
      shown = standing;
      yield news;
    } else if (!(await hasChanged(pair, signal)) && !signal.aborted) {
      yield ': still here\n\n';
    }
  }
}

function messageEvent(entry: Entry): string {
  const { number, epoch, side, message } = entry;
  const { messageId, parts } = message;
  return `id: ${number}\n${event('message', { number, epoch, side, messageId, parts, html: entryHtml(entry).markup })}`;
}

/** False when nothing happened for a while, or nobody reads any more. */
async function hasChanged(pair: Pair, signal: AbortSignal): Promise<boolean> {
  try {
    await pair.changed(AbortSignal.any([signal, AbortSignal.timeout(KEEP_ALIVE_MS)]));
    return true;
  } catch {
    return false;
  }
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
