import { isPlainObject } from '../model/basics/json.ts';
import { A2AError } from '../model/errors/errors.ts';
import { connectionLost } from './line.ts';
import type { RecordedExchange, RecordedRequest, RecordedResponse, Recording } from './record.ts';
import { responseOf } from './wire-frames.ts';

/**
 * A `fetch` that answers as it was recorded. A request gets the first answer, not yet given, to one like it: the same
 * method, address and content, whatever its ids. Requests that only read get the last such answer again when there are
 * no more; any other request without an answer fails, and says what it was.
 *
 * @example
 * const client = new A2AClient('https://agent.example.com', { fetch: replay(recording) });
 */
export function replay(recording: Recording): typeof fetch {
  const waiting = recording.exchanges.map((exchange) => ({ exchange, key: keyOf(exchange.request), isGiven: false }));
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const body = await request.text();
    const asked: RecordedRequest = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: body === '' ? undefined : body,
    };
    const key = keyOf(asked);
    const alike = waiting.filter((entry) => entry.key === key);
    const entry = alike.find(({ isGiven }) => !isGiven) ?? (asked.method === 'GET' ? alike.at(-1) : undefined);
    // Clients pass this error on as it is, and do not try again.
    if (!entry) throw new A2AError('NOT_FOUND', unknown(asked, recording.exchanges));
    entry.isGiven = true;
    return answered(entry.exchange.response, rpcIdOf(body));
  };
}

/** Made again by every client and every run. */
const VOLATILE: ReadonlySet<string> = new Set(['id', 'messageId', 'jsonrpc']);

/** The key by which two requests count as equal. A task's id is part of it; the id of a message or a call is not. */
function keyOf({ method, url, headers, body }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  return JSON.stringify([method, pathname, search, headers['last-event-id'] ?? '', contentOf(body)]);
}

function contentOf(body: string | undefined): unknown {
  const parsed = parsedOf(body ?? '');
  if (!isPlainObject(parsed)) return body ?? '';
  const { params, ...rest } = parsed;
  const plain = Object.fromEntries(Object.entries(rest).filter(([name]) => !VOLATILE.has(name)));
  return { ...plain, params: withoutMessageId(params), message: withoutMessageId(parsed).message };
}

function withoutMessageId(params: unknown): Record<string, unknown> {
  if (!isPlainObject(params)) return {};
  if (!isPlainObject(params.message)) return params;
  const { messageId: _, ...message } = params.message;
  return { ...params, message };
}

function answered({ status, headers, body, frames, broken }: RecordedResponse, rpcId: unknown): Response {
  if (!frames) return new Response(body === undefined ? null : withRpcId(body, rpcId), { status, headers });
  return responseOf(played(frames, broken === true, rpcId), { status, headers });
}

async function* played(
  frames: readonly string[],
  isBroken: boolean,
  rpcId: unknown,
): AsyncGenerator<string, void, void> {
  for (const frame of frames)
    yield frame.replace(/^(data: ?)(.*)$/gm, (_, name, data) => name + withRpcId(data, rpcId));
  if (isBroken) throw connectionLost();
}

/** An answer carries the id of the call that it answers. */
function withRpcId(text: string, rpcId: unknown): string {
  const parsed = rpcId === undefined ? undefined : parsedOf(text);
  return isPlainObject(parsed) && 'jsonrpc' in parsed ? JSON.stringify({ ...parsed, id: rpcId }) : text;
}

function rpcIdOf(body: string): unknown {
  const parsed = parsedOf(body);
  return isPlainObject(parsed) && 'jsonrpc' in parsed ? parsed.id : undefined;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknown({ method, url, body }: RecordedRequest, exchanges: readonly RecordedExchange[]): string {
  const recorded = exchanges.map(
    ({ request }) => `${request.method} ${request.url} ${(request.body ?? '').slice(0, 120)}`,
  );
  const asked = `${method} ${url} ${(body ?? '').slice(0, 200)}`;
  return `The recording has no (further) answer to ${asked}\nIt has:\n  ${recorded.join('\n  ')}`;
}
