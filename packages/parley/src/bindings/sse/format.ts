import type { ResponseHeaders } from '../exchange.ts';

/** No cache, no compression and no buffering on the way: a frame must arrive when it is sent. */
export const SSE_HEADERS: ResponseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The end of a stream as some servers write it, out of a habit from elsewhere. */
export const DONE = '[DONE]';

/**
 * A comment is a line. A blank line after it, or after a `retry:`, is an event without data for some readers (httpx-sse,
 * once a frame had an id), and clients of theirs then fail to parse it.
 */
export const KEEP_ALIVE = ': keep-alive\n';

/** Ends a stream that the server closes by plan: when to come back, in milliseconds. */
export const COME_BACK = 'retry: 1000\n';
