import { fail, skip } from './verdict.ts';
import type { Answer } from './wire/caller.ts';
import { isError, type Mistake, nameOf, type WireError } from './wire/errors.ts';
import { LiveStream } from './wire/live-stream.ts';

const NOT_OURS = 'the response is none of the protocol';

/** The result of an operation that must succeed. */
export function resultOf(answer: Answer): unknown {
  const { exchange, error, result, json } = answer;
  if (exchange.got === undefined) return fail(exchange.trouble ?? 'no response', exchange);
  refuseBusy(answer);
  if (error !== undefined) return fail(`an error came: ${nameOf(error)}`, exchange);
  if (exchange.trouble !== undefined) return fail(exchange.trouble, exchange);
  if (json === undefined) return fail('the response is not JSON', exchange);
  if (result === undefined) return fail('the response has no result', exchange);
  return result;
}

/** The same for a send: an agent may take longer than the check can wait. */
export function sentResult(answer: Answer): unknown {
  if (answer.exchange.late) return skip(`the agent did not answer in time (${answer.exchange.trouble})`);
  return resultOf(answer);
}

/** The response must be this error, or one of these. */
export function expectError(answer: Answer, ...expected: readonly Mistake[]): void {
  const { exchange, error } = answer;
  if (exchange.got === undefined) fail(exchange.trouble ?? 'no response', exchange);
  refuseBusy(answer);
  const names = expected.join(' or ');
  if (error === undefined) fail(`${names} was expected, but ${unrefused(answer)}`, exchange);
  if (isForeign(error)) fail(`${names} was expected, but ${NOT_OURS} (${nameOf(error)})`, exchange);
  if (!expected.some((mistake) => isError(error, mistake)))
    fail(`${names} was expected, not ${nameOf(error)}`, exchange);
}

/** The response must be some error: the reference does not say which. */
export function expectRefusal(answer: Answer): void {
  const { exchange, error } = answer;
  if (exchange.got === undefined) fail(exchange.trouble ?? 'no response', exchange);
  refuseBusy(answer);
  if (error === undefined) fail(unrefused(answer), exchange);
  if (isForeign(error)) fail(`${NOT_OURS} (${nameOf(error)})`, exchange);
}

/** The request must have reached the operation that it names, whatever came of it there. */
export function expectServed(answer: Answer): void {
  const { exchange, error, result } = answer;
  if (exchange.got === undefined) fail(exchange.trouble ?? 'no response', exchange);
  refuseBusy(answer);
  if (error === undefined && result === undefined) fail(NOT_OURS, exchange);
  if (error === undefined) return;
  const isTurnedAway =
    isError(error, 'VERSION_NOT_SUPPORTED') || error.code === -32601 || error.grpc === 'UNIMPLEMENTED';
  if (isTurnedAway) fail(`the request was not served: ${nameOf(error)}`, exchange);
  if (isForeign(error)) fail(NOT_OURS, exchange);
}

/** The response must be a stream. */
export function streamOf(opened: LiveStream | Answer): LiveStream {
  if (opened instanceof LiveStream) return opened;
  if (opened.exchange.late) return skip(`no stream began in time (${opened.exchange.trouble})`);
  refuseBusy(opened);
  if (opened.error !== undefined)
    return fail(`an error came instead of a stream: ${nameOf(opened.error)}`, opened.exchange);
  // Only one rule is about the type of a stream; the others cannot be seen then.
  return skip('the response is no event stream');
}

/** The response must be no stream of events, or one that has nothing but an error. */
export async function refusalOf(opened: LiveStream | Answer): Promise<Answer> {
  if (!(opened instanceof LiveStream)) return opened;
  await opened.find(() => true);
  opened.close();
  const { exchange, failure } = opened;
  if (failure && opened.frames.length === 0) return { exchange, json: failure.body, result: undefined, error: failure };
  const [first] = opened.frames;
  const json = first?.json;
  const body = typeof json === 'object' && json !== null ? (json as { readonly error?: unknown }) : {};
  if (body.error === undefined) return { exchange, json, result: json, error: undefined };
  const error = body.error as {
    readonly code?: number;
    readonly message?: string;
    readonly data?: unknown;
    readonly details?: unknown;
  };
  const code = typeof error.code === 'number' && error.code < 0 ? error.code : undefined;
  const status = typeof error.code === 'number' && error.code > 0 ? error.code : 200;
  const details = error.data ?? error.details;
  return { exchange, json, result: undefined, error: { code, message: error.message, status, details, body: error } };
}

/** Says what came instead of an error: a result, or something that tells nothing, such as a page. */
function unrefused({ json, result }: Answer): string {
  if (result !== undefined) return 'the request was accepted';
  return json === undefined ? 'the response is not JSON' : 'the response has neither a result nor an error';
}

/** True for what a web server says by itself, such as a page for 404. */
function isForeign({ body, grpc }: WireError): boolean {
  return grpc === undefined && (typeof body !== 'object' || body === null);
}

/** A server that asks to come back later, or that does not know the caller, shows nothing of its other rules. */
function refuseBusy({ error }: Answer): void {
  if (error?.status === 429 || error?.status === 503) skip(`the server is busy (${statusName(error)})`);
  if (error?.status === 401)
    skip(`the server wants to know who calls (${statusName(error)}); see --token and --header`);
}

function statusName({ grpc, status }: WireError): string {
  return grpc ?? `HTTP ${status}`;
}
