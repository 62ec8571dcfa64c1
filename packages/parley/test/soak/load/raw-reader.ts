import type { RawRequest, Way } from '../../exact/foreign-ways.ts';
import { pause } from '../../support/script.ts';
import { readSse, type SseEvent } from '../../support/sse.ts';
import type { SoakCaller } from '../callers.ts';
import type { Ledger } from '../ledger.ts';
import { type Script, writeScript } from '../script.ts';

/** Milliseconds between two attempts to reach a server that is being exchanged. */
const AGAIN_AFTER = 20;
/** A log that ends elsewhere than it was read to so often is a finding. */
const MOST_ATTEMPTS = 20;

interface Reading {
  readonly url: string;
  readonly way: Way;
  readonly caller: SoakCaller;
  readonly ledger: Ledger;
  /** After so many frames the reader closes its connection and comes back. */
  readonly patience: () => number;
}

/** A frame that has a position. */
type Placed = SseEvent & { readonly id: string };

/** One form of 0.3 has no body to subscribe with, so that the server cannot tell in which spelling to go on. */
const SPELLED_BY_ITS_BODY = '0.3 HTTP+JSON as its text has it';
/** What it says of a chunk depends on the frame that its stream began with. */
const TOLD_BY_ITS_STREAM = 'rxjs in its older spellings';

/** Sends a message in one of the ways and reads its stream to the end by hand: all frames after the first, each once. */
export async function readByHand(reading: Reading, script: Script): Promise<void> {
  const { way, ledger } = reading;
  const asked = way.send(writeScript(script));
  const key = { 'idempotency-key': `soak-${script.number}-${crypto.randomUUID()}` };
  const seen: Placed[] = [];
  while (seen.length === 0) await take(reading, await open(reading, asked, key), seen);
  const respelled = countRespelled(way, seen.length);
  const taskId = /"(?:taskId|id)":"([^"]{36})"/.exec(seen[0]?.data ?? '')?.[1];
  if (taskId === undefined) return ledger.find(`${way.name} named no task in ${seen[0]?.data}`);
  ledger.tellTask(script.number, taskId);
  for (let end: End = 'cut'; end !== 'over'; ) {
    end = await take(
      reading,
      await open(reading, way.subscribe(taskId), { 'last-event-id': seen.at(-1)?.id ?? '' }),
      seen,
    );
  }
  const whole = await readWhole(reading, taskId, seen.at(-1)?.id);
  const [begin, ...updates] = seen;
  const rest = whole.slice(whole.length - updates.length);
  const before = whole.slice(0, whole.length - updates.length);
  const isSame = ({ id, data }: Placed, index: number) =>
    id === rest[index]?.id && (index + 1 < respelled || data === rest[index]?.data);
  const isExact = updates.every(isSame) && before.every(({ id }) => Number(id) <= Number(begin?.id));
  ledger.events += seen.length;
  if (!isExact) {
    const at = updates.findIndex((frame, index) => !isSame(frame, index));
    const firsts = `${JSON.stringify(updates[at])} where the log has ${JSON.stringify(rest[at])}`;
    const ids = (frames: readonly Placed[]) => frames.map(({ id }) => id).join();
    ledger.find(`${way.name} ${taskId}: read ${firsts}; in all ${ids(seen)}, the log is ${ids(whole)}`);
  }
}

/** How many of the first frames a stream that is read again spells differently. Their ids are the same. */
function countRespelled({ name }: Way, first: number): number {
  if (name === TOLD_BY_ITS_STREAM) return Number.POSITIVE_INFINITY;
  return name === SPELLED_BY_ITS_BODY ? first : 0;
}

/** All frames of an ended task, from the beginning: again and again until neither a cut nor a stop of the server ends it. */
async function readWhole(reading: Reading, taskId: string, last: string | undefined): Promise<readonly Placed[]> {
  for (let attempt = 1; ; attempt += 1) {
    const whole: Placed[] = [];
    const response = await open(reading, reading.way.subscribe(taskId), { 'last-event-id': '0' });
    const end = await take({ ...reading, patience: () => Number.POSITIVE_INFINITY }, response, whole);
    if (end !== 'cut' && (whole.at(-1)?.id === last || attempt >= MOST_ATTEMPTS)) return whole;
  }
}

/** A server that stops says 503, one that is gone resets connections. Anything else is an answer. */
async function open(
  { url, caller, ledger, way }: Reading,
  { path, headers, body }: RawRequest,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more, ...caller.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    if (response && response.status < 500) {
      if (isStream(response)) ledger.streams += 1;
      return response;
    }
    if (response && response.status !== 503) ledger.find(`${way.name}: ${response.status} ${await response.text()}`);
    await response?.body?.cancel().catch(() => undefined);
    await pause(AGAIN_AFTER);
  }
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') === true;

/** The server ended the stream; the connection was cut, or the reader left; there is nothing left to read. */
type End = 'ended' | 'cut' | 'over';

/** Several forms refuse the stream of a task that has ended inside of the stream. */
const NOTHING_LEFT = /"error":\{.*already/;

/** Reads frames until the stream ends, its connection is cut or the reader has enough. */
async function take({ way, ledger, patience }: Reading, response: Response, seen: Placed[]): Promise<End> {
  if (!isStream(response) || !response.body) {
    const text = await response.text().catch(() => undefined);
    if (text === undefined) return 'cut';
    if (!NOTHING_LEFT.test(text)) ledger.find(`${way.name} was no stream: ${response.status} ${text}`);
    return 'over';
  }
  let left = patience();
  try {
    for await (const frame of readSse(response.body)) {
      if (NOTHING_LEFT.test(frame.data)) return 'over';
      if (frame.data.includes('"error":{')) ledger.find(`${way.name} streamed ${frame.data}`);
      if (frame.id !== undefined) seen.push(frame as Placed);
      left -= 1;
      if (left <= 0) return 'cut';
    }
    return 'ended';
  } catch {
    // The connection was cut, perhaps inside of a frame.
    ledger.reconnects += 1;
    return 'cut';
  }
}
