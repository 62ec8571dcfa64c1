import { A2AClient, isA2AError, isTask, type Message, type Task, textOf } from 'parley-a2a/client';
import { methodCall } from '../../../../parley/src/snippets/method-call.ts';
import type { Snippet, SnippetSource } from '../../../../parley/src/snippets/recorded-call.ts';
import { maskedText, type SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import { type ExpectedResult, testCode } from '../../../../parley/src/snippets/test-code.ts';
import {
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type RecordedExchange,
  type Recording,
} from '../../../../parley/src/testing/record.ts';
import { replay } from '../../../../parley/src/testing/replay.ts';
import { EVERY_DIALECT } from '../record/client-values.ts';
import type { WireExchange } from '../record/exchange.ts';
import { taskIdOf } from '../record/resumes.ts';

/** A test that repeats the call against what was recorded; rejects with a sentence where too little of it is kept. */
export async function copyAsTest(
  source: SnippetSource,
  exchange: WireExchange,
  all: readonly WireExchange[],
  secrets: SecretsShown,
): Promise<Snippet> {
  const recording = recordingOf(exchange, all, secrets);
  const expected = await replayed(source, recording);
  return testCode({ ...source, recording, expected }, secrets);
}

/** The agent's card, the call, and the requests that resumed its stream. */
export function recordingOf(
  exchange: WireExchange,
  all: readonly WireExchange[],
  secrets: SecretsShown = {},
): Recording {
  const same = all.filter(({ target }) => target !== undefined && target === exchange.target);
  const cards = same.filter(({ call, end, request }) => !call && request.method === 'GET' && end?.kind === 'closed');
  if (cards.length === 0)
    throw new Error('The card of the agent is no longer in the log: reload the page and send again');
  const exchanges = [...cards, exchange, ...resumesOf(exchange, same)];
  const unfinished = exchanges.find(({ end }) => end === undefined);
  if (unfinished) throw new Error('The stream has not ended yet: a test needs the end of it');
  const cut = exchanges.find(({ framesDropped, bodyLeftOut }) => framesDropped > 0 || bodyLeftOut > 0);
  if (cut) throw new Error('The response is too large: its beginning is no longer in the log');
  return { version: 1, exchanges: exchanges.map((one) => recorded(one, secrets)) };
}

/** Later subscriptions to the same task, up to the first that came to its end. */
function resumesOf(exchange: WireExchange, same: readonly WireExchange[]): readonly WireExchange[] {
  const taskId = taskIdOf(exchange);
  const resumes: WireExchange[] = [];
  if (!exchange.isStream || exchange.end?.kind !== 'failed' || taskId === undefined) return resumes;
  for (const one of same.slice(same.indexOf(exchange) + 1)) {
    if (one.call?.operation !== 'subscribeToTask' || !('id' in one.call.input) || one.call.input.id !== taskId)
      continue;
    resumes.push(one);
    if (one.end?.kind !== 'failed') break;
  }
  return resumes;
}

function recorded(
  { request, response, isStream, frames, body, end }: WireExchange,
  secrets: SecretsShown,
): RecordedExchange {
  if (!response) throw new Error('The request was never answered, so there is nothing to record');
  const hide = (text: string) => maskedText(text, secrets);
  const answer = isStream
    ? { frames: frames.map(({ text }) => hide(text)), broken: end?.kind === 'failed' ? true : undefined }
    : { body: body === '' ? undefined : hide(body) };
  return {
    request: {
      method: request.method,
      url: request.url,
      headers: picked(request.headers, REQUEST_HEADERS),
      body: request.body === undefined ? undefined : hide(request.body),
    },
    response: { status: response.status, headers: picked(response.headers, RESPONSE_HEADERS), ...answer },
  };
}

function picked(headers: readonly (readonly [string, string])[], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => names.includes(name)));
}

/** What a client makes of the recording. The test expects the same. */
async function replayed(source: SnippetSource, recording: Recording): Promise<ExpectedResult> {
  const { url, protocol, binding } = source.target;
  const client = new A2AClient(url, { ...EVERY_DIALECT, protocol, prefer: { binding }, fetch: replay(recording) });
  const { method, values } = methodCall(source);
  const call: unknown = Reflect.get(client, method);
  if (typeof call !== 'function') return {};
  try {
    const made: unknown = call.apply(client, values);
    const result = (await (hasResult(made) ? made.result : made)) as Task | Message | undefined;
    if (!result || !('parts' in result || 'status' in result)) return {};
    return { state: isTask(result) ? result.status.state : undefined, text: textOf(result) };
  } catch (error) {
    if (isA2AError(error)) return { error: error.code };
    throw error;
  }
}

function hasResult(made: unknown): made is { readonly result: Promise<Task | Message> } {
  return typeof made === 'object' && made !== null && 'result' in made;
}
