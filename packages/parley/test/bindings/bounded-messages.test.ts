import { expect, it } from 'vitest';
import { withBoundedMessages } from '../../src/bindings/http/bounded-messages.ts';

const MOST = 20;
const EVENT = 'data: 12345\n\n';

/** What is read of a response whose body comes in these chunks. */
async function read(type: string, chunks: readonly string[], status = 200): Promise<string> {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const send = withBoundedMessages(async () => new Response(body, { status, headers: { 'content-type': type } }), MOST);
  const response = await send('http://127.0.0.1/');
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
  return response.text();
}

const CRLF = EVENT.replaceAll('\n', '\r\n');

it.each<[string, string, readonly string[]]>([
  ['a body as long as it may be', 'application/json', ['1234567890', '1234567890']],
  ['events', 'text/event-stream', [EVENT, EVENT, EVENT]],
  ['events in the same chunk', 'text/event-stream; charset=utf-8', [`${EVENT}data: 1`, `23\n\n${EVENT}`]],
  ['events with long line ends', 'Text/Event-Stream', [CRLF, CRLF, CRLF]],
  ['events cut anywhere', 'text/event-stream', (EVENT + EVENT).split('')],
  ['events with long line ends cut anywhere', 'text/event-stream', (CRLF + CRLF).split('')],
  ['events cut inside of their ends', 'text/event-stream', ['data: 12345\r\n\r', '\ndata: 12345\r\n\r', '\n']],
])('%s are read as they come', async (_, type, chunks) => {
  expect(await read(type, chunks)).toBe(chunks.join(''));
});

it.each<[string, string, readonly string[], number?]>([
  ['a body that is too long', 'application/json', ['1234567890', '1234567890', '1']],
  ['an event that never ends', 'text/event-stream', [EVENT, 'data: 1', '2345678901234567']],
  ['an event of short lines', 'text/event-stream', Array(9).fill('data:\n')],
  ['an event of short lines with long ends', 'text/event-stream', Array(9).fill('data:\r\n')],
  ['an error that says it were events', 'text/event-stream', [EVENT, EVENT], 500],
  ['a body without a type', '', ['1234567890', '\n\n', '1234567890']],
])('%s fails', async (_, type, chunks, status) => {
  await expect(read(type, chunks, status)).rejects.toThrow('A message of the server has more than 20 bytes');
});
