import { A2AError } from '../model/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A request's body as a JSON value: from bytes, text, or what a framework has already parsed. */
export function parseBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return parseText(decodeUtf8(body));
  if (typeof body === 'string') return parseText(body);
  if (body === undefined) throw new A2AError('PARSE_ERROR', 'Invalid JSON payload: the body is empty');
  return body;
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
    const where = cause instanceof Error ? `: ${cause.message}` : '';
    throw new A2AError('PARSE_ERROR', `Invalid JSON payload${where}`, { cause });
  }
}
