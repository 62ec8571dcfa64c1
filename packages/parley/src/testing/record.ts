import { type BodyReader, isEventStream, responseOf, wireFrames } from './wire-frames.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The frames of an event stream as they arrived. */
  readonly frames?: readonly string[] | undefined;
  /** The connection was lost after them. */
  readonly broken?: boolean | undefined;
}

export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** Recorded requests and responses; plain JSON, for a file. */
export interface Recording {
  readonly version: 1;
  readonly exchanges: readonly RecordedExchange[];
}

export interface Recorder {
  /** To be given to a client. */
  readonly fetch: typeof fetch;
  /** The exchanges recorded so far. A stream counts after it has ended or was left. */
  recording(): Recording;
}

/** The headers that are recorded. None carries credentials: recordings are kept and shared. */
export const REQUEST_HEADERS: readonly string[] = [
  'accept',
  'content-type',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'last-event-id',
];
export const RESPONSE_HEADERS: readonly string[] = [
  'content-type',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'retry-after',
  'location',
];

/**
 * Records what a client and a real agent say to each other. Headers that may hold secrets are left out; bodies and
 * addresses are kept as they are.
 *
 * @example
 * const recorder = record();
 * const client = new A2AClient('https://agent.example.com', { fetch: recorder.fetch });
 */
export function record(inner: typeof fetch = globalThis.fetch): Recorder {
  const exchanges: (RecordedExchange | undefined)[] = [];
  const send: typeof fetch = async (input, init) => {
    const place = exchanges.push(undefined) - 1;
    const request = new Request(input, init);
    const asked = await recordedRequest(request.clone());
    const response = await inner(request);
    const { status } = response;
    const headers = picked(response.headers, RESPONSE_HEADERS);
    if (!response.body || !isEventStream(response)) {
      const body = response.body ? await response.text() : undefined;
      exchanges[place] = { request: asked, response: { status, headers, body } };
      return new Response(body ?? null, response);
    }
    const keep = (frames: readonly string[], broken?: true) => {
      exchanges[place] = { request: asked, response: { status, headers, frames, broken } };
    };
    const source: BodyReader = response.body.getReader();
    return responseOf(kept(source, keep), response, source);
  };
  return {
    fetch: send,
    recording: () => ({ version: 1, exchanges: exchanges.filter((exchange) => exchange !== undefined) }),
  };
}

async function* kept(
  source: BodyReader,
  keep: (frames: readonly string[], broken?: true) => void,
): AsyncGenerator<string, void, void> {
  const frames: string[] = [];
  let isBroken = false;
  try {
    for await (const { text } of wireFrames(source)) {
      frames.push(text);
      yield text;
    }
  } catch (error) {
    isBroken = true;
    throw error;
  } finally {
    if (isBroken) keep(frames, true);
    else keep(frames);
  }
}

async function recordedRequest(request: Request): Promise<RecordedRequest> {
  const { method, url } = request;
  const body = await request.text();
  const headers = picked(request.headers, REQUEST_HEADERS);
  return body === '' ? { method, url, headers } : { method, url, headers, body };
}

function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
