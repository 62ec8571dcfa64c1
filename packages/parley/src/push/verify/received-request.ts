import { ownBytes } from '../../model/basics/bytes.ts';
import { isPushError, PushError } from './push-error.ts';

/** Headers of the Fetch API, or an object as Node has them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request by its headers and its raw body, byte by byte as it came. */
export interface ReceivedParts {
  readonly headers: ReceivedHeaders;
  readonly body: string | Uint8Array | ArrayBuffer;
}

export type ReceivedRequest = Request | ReceivedParts;

/** Reads a header; undefined if there is none. The names of an object may be in any case. */
export function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers || typeof headers.get === 'function')
    return (headers as Headers).get(name) ?? undefined;
  const record = headers as Exclude<ReceivedHeaders, Headers>;
  const key = name in record ? name : Object.keys(record).find((other) => other.toLowerCase() === name);
  const value = key === undefined ? undefined : record[key];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Is told how many bytes of a body there are by now; throws where there is no room for them. */
export type BytesSeen = (bytes: number) => void;

/** The raw body. Throws BODY_TOO_LARGE where it has more bytes than that. */
export async function bodyOf(request: ReceivedRequest, most: number, seen?: BytesSeen): Promise<Uint8Array> {
  const length = Number(headerOf(request.headers, 'content-length') ?? 0);
  if (length > most) throw tooLarge(most);
  const { body } = request;
  if (isStream(body)) return readChunks(body, most, seen);
  if (body === null || body === undefined) return new Uint8Array();
  if (typeof body !== 'string' && !(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) {
    throw new TypeError(
      'The body must be raw, as text or bytes; it has been parsed, so its signature cannot be checked',
    );
  }
  const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : ownBytes(body);
  if (bytes.length > most) throw tooLarge(most);
  seen?.(bytes.length);
  return bytes;
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Joins the chunks of a body; leaving the loop cancels the rest. */
export async function readChunks(
  chunks: AsyncIterable<Uint8Array | string>,
  most: number,
  seen?: BytesSeen,
): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      const bytes = ownBytes(chunk);
      size += bytes.length;
      if (size > most) throw tooLarge(most);
      seen?.(size);
      read.push(bytes);
    }
  } catch (error) {
    // The sender left, or its connection was lost: nothing is wrong here.
    throw isPushError(error) ? error : new PushError('INVALID_BODY', 'The body was cut off', error);
  }
  const whole = new Uint8Array(size);
  let end = 0;
  for (const bytes of read) {
    whole.set(bytes, end);
    end += bytes.length;
  }
  return whole;
}

function tooLarge(most: number): PushError {
  return new PushError('BODY_TOO_LARGE', `The body is larger than ${most} bytes`);
}
