import { faultOf, infinitePath } from '../../../model/basics/json.ts';
import { A2AError, invalidParams, quoted } from '../../../model/errors/errors.ts';
import { DEFAULT_INPUT_LIMITS } from '../../../model/input-limits.ts';
import { Consumed, type ExchangeRequest, Truncated, Unread } from '../../exchange.ts';
import { requireFewValues } from './body-values.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A request's body as a JSON value: from bytes, text, or what a framework has already parsed.
 *
 * @param values the most that a text may have; see InputLimits
 */
export function parseBody(body: unknown, values: number = DEFAULT_INPUT_LIMITS.values): unknown {
  if (body instanceof Unread) throw body.reason;
  if (body instanceof Truncated) {
    throw new A2AError('PARSE_ERROR', 'Invalid JSON payload: the body broke off', { cause: body.cause });
  }
  if (body instanceof Consumed) throw consumed();
  if (body === undefined) throw new A2AError('PARSE_ERROR', 'Invalid JSON payload: the body is empty');
  const text = body instanceof Uint8Array ? decodeUtf8(body) : body;
  if (typeof text !== 'string') return text;
  requireFewValues(text, values);
  return parseText(text);
}

/**
 * Reads a request's body as JSON. Throws PARSE_ERROR if it is not JSON, PAYLOAD_TOO_LARGE if it is larger than the server
 * allows or has more than `values`, and INVALID_PARAMS where it is nested deeper than `depth`.
 */
export function readJson(
  { body }: Pick<ExchangeRequest, 'body'>,
  { depth, values }: { readonly depth: number; readonly values?: number | undefined },
): unknown {
  const parsed = parseBody(body, values);
  requireSound(parsed, depth);
  return parsed;
}

/** A mistake in the program around the server, which the client cannot mend. */
function consumed(): A2AError {
  const mistake =
    'The body was read before it came to the A2A server, and what it was is not to be found. ' +
    'Put the server before the middleware that reads bodies, or let that leave what it read.';
  return new A2AError('INTERNAL', mistake);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new A2AError('PARSE_ERROR', 'Invalid JSON payload: the body is not valid UTF-8', { cause });
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = cause instanceof Error ? `: ${cause.message.replace(/\p{Cc}/gu, '?')}` : '';
    throw new A2AError('PARSE_ERROR', `Invalid JSON payload${where}`, { cause });
  }
}

/**
 * A few kilobytes of brackets parse well and then overflow the stack of code that walks or writes them, so nesting is
 * measured when it comes in. A number beyond all numbers would be `null` when it is written again.
 */
export function requireSound(value: unknown, depth: number): void {
  const fault = faultOf(depth, value);
  if (fault === undefined) return;
  if (fault === 'depth') {
    throw invalidParams({ field: 'body', description: `must not be nested deeper than ${depth} levels` });
  }
  const field = quoted(infinitePath(value)?.replace(/^params\./, '') ?? 'body');
  throw invalidParams({ field, description: 'must be a number that a double can hold' });
}
