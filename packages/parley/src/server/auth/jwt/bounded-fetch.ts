import { isPlainObject } from '../../../model/basics/json.ts';

/** The largest document that is read from an issuer, in bytes. */
const LARGEST_DOCUMENT = 256 * 1024;
/** Milliseconds that an issuer may take for one document. */
const LONGEST_WAIT = 5_000;
/** The most redirects that are followed, all of them inside the origin. */
const MOST_REDIRECTS = 3;

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** An HTTP status that says that the document is not there. */
export class NoDocument extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} responds with ${status}`);
    this.status = status;
  }
}

/** The way to read documents, until the signal says that they are no longer needed. */
export interface Reading {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
}

/** Reads a JSON object from an issuer: bounded in time and size, never from another origin than asked. */
export async function fetchObject(address: string, reading: Reading): Promise<Readonly<Record<string, unknown>>> {
  const { fetch } = reading;
  const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(LONGEST_WAIT)]);
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url.href, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return parseObject(url.href, await textOf(url.href, response));
    await response.body?.cancel();
    const target = new URL(location, url);
    if (target.origin !== url.origin) throw new Error(`${url.href} redirects to another origin, ${target.origin}`);
    if (redirects === MOST_REDIRECTS) throw new Error(`${address} redirects more than ${MOST_REDIRECTS} times`);
    url = target;
  }
}

async function textOf(url: string, response: Response): Promise<string> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new NoDocument(url, response.status);
  }
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > LARGEST_DOCUMENT) throw new Error(`${url} is larger than ${LARGEST_DOCUMENT} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(url: string, text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (!isPlainObject(value)) throw new Error(`${url} is not a JSON object`);
  return value;
}
