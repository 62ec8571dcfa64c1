import type { Wire } from '../support/rpc.ts';
import type { FuzzedRequest } from './mutations.ts';

/** A response, read to its end or, of a stream, as far as it came. */
export interface FuzzedResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Numbers of errors that are the server's own fault. */
const INTERNAL_ERROR = -32603;
const LONGEST_ERROR = 16_000;
const PLAIN_TEXT = /^text\/(plain|html|markdown)/;

/** Returns the reason why a response is none that a server may give; undefined for one that is. */
export function problemOf({ method }: FuzzedRequest, { status, type, text }: FuzzedResponse): string | undefined {
  if (status >= 500) return `the status ${status}`;
  if (method === 'HEAD') return text === '' ? undefined : 'a body for HEAD';
  if (status === 204 || status === 304) return text === '' ? undefined : `a body with ${status}`;
  if (type.startsWith('text/event-stream')) return problemOfStream(text);
  if (PLAIN_TEXT.test(type)) return status < 400 ? undefined : 'an error that is plain text';
  if (!/^application\/([a-z0-9.-]+\+)?json\b/.test(type)) return `the content type "${type}"`;
  const body = parse(text);
  if (body === undefined) return 'a body that is no JSON';
  return status >= 400 && text.length > LONGEST_ERROR ? 'a long error' : problemOfBody(status, body);
}

function problemOfBody(status: number, body: Wire): string | undefined {
  if (Array.isArray(body)) return status < 400 ? undefined : 'an error that is a list';
  if (typeof body !== 'object' || body === null) return 'a body that is no object';
  if ('jsonrpc' in body) return problemOfRpc(body);
  return status < 400 ? undefined : problemOfHttpError(body);
}

function problemOfRpc(body: Wire): string | undefined {
  if (body.jsonrpc !== '2.0') return 'another JSON-RPC';
  if (!('id' in body)) return 'no JSON-RPC id';
  if ('result' in body === 'error' in body) return 'result and error, or none';
  if (!('error' in body)) return undefined;
  const { code, message } = body.error ?? {};
  if (!Number.isInteger(code)) return `the error code ${code}`;
  if (code === INTERNAL_ERROR) return 'an internal error';
  return typeof message === 'string' && message !== '' ? undefined : 'an error without a message';
}

/** `{ error: { code, message } }`, `{ code, message }` or `{ error: text }`, as the dialects have them. */
function problemOfHttpError(body: Wire): string | undefined {
  const error = body.error ?? body;
  if (typeof error === 'string') return error === '' ? 'an empty error' : undefined;
  if (error?.code === INTERNAL_ERROR || error?.status === 'INTERNAL') return 'an internal error';
  return typeof error?.message === 'string' && error.message !== '' ? undefined : 'an error without a message';
}

function problemOfStream(text: string): string | undefined {
  for (const frame of text.split('\n\n')) {
    const lines = frame.split('\n').filter((line) => line !== '');
    if (lines.some((line) => !/^(id|event|data|retry)?:/.test(line))) return 'a line that is none of an event stream';
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length));
    if (data.length === 0) continue;
    // The end of a stream in one of the dialects.
    if (data[0]?.trim() === '[DONE]') continue;
    const body = parse(data.join('\n'));
    if (body === undefined) return 'a frame that is no JSON';
    const problem = typeof body === 'object' && body !== null && 'jsonrpc' in body ? problemOfRpc(body) : undefined;
    if (problem) return `a frame with ${problem}`;
  }
  return undefined;
}

function parse(text: string): Wire {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
