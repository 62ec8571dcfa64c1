import { systemClock } from '../engine/node/clock.ts';
import type { Clock } from '../engine/ports.ts';
import { anything, type Checks, checkOptions, countFrom, duration, having } from '../model/options/checks.ts';
import { connectionLost } from './line.ts';
import { type BodyReader, isEventStream, responseOf, wireFrames } from './wire-frames.ts';

/** For the first stream; or a list, with an entry for each of the first streams. Undefined leaves that stream alone. */
export type ForStreams<Value> = Value | readonly (Value | undefined)[];

/** Faults of a connection. Events of a stream are counted 1, 2, …; each connection counts from 1. */
export interface Faults {
  /** The connection breaks instead of bringing this event. */
  readonly dropAt?: ForStreams<number> | undefined;
  /** The connection breaks in the middle of this event. */
  readonly cutAt?: ForStreams<number> | undefined;
  /** The stream ends properly, but before this event. */
  readonly closeAt?: ForStreams<number> | undefined;
  /** This event comes twice. */
  readonly duplicate?: ForStreams<number> | undefined;
  /** Once this event was read, this is done before the next one is asked for: crash the server, for example. */
  readonly after?: ForStreams<{ readonly event: number; readonly do: () => unknown }> | undefined;
  /** Milliseconds before each event. */
  readonly delay?: number | undefined;
  /** The number of first calls, cards aside, that get status 503. */
  readonly unavailable?: number | undefined;
  /** The number of first calls, cards aside, without a connection; after those that are `unavailable`. */
  readonly unreachable?: number | undefined;
  /** The clock of delays. Default: real time. */
  readonly clock?: Clock | undefined;
}

const FAULTS: Checks<Faults> = {
  dropAt: anything,
  cutAt: anything,
  closeAt: anything,
  duplicate: anything,
  after: anything,
  delay: duration,
  unavailable: countFrom(0),
  unreachable: countFrom(0),
  clock: having('a clock with functions now and after', 'now', 'after'),
};

/**
 * A `fetch` over which things go wrong, for tests of whatever should bear it.
 *
 * @example
 * const client = new A2AClient(url, { fetch: faulty(fetch, { dropAt: 3 }) });
 */
export function faulty(inner: typeof fetch, faults: Faults): typeof fetch {
  checkOptions('faulty', faults, FAULTS);
  let { unavailable = 0, unreachable = 0 } = faults;
  let streams = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    if (!new URL(request.url).pathname.includes('/.well-known/')) {
      if (unavailable > 0) {
        unavailable -= 1;
        return new Response('', { status: 503 });
      }
      if (unreachable > 0) {
        unreachable -= 1;
        throw connectionLost();
      }
    }
    const response = await inner(request);
    if (!response.body || !isEventStream(response)) return response;
    const number = streams;
    streams += 1;
    const source: BodyReader = response.body.getReader();
    return responseOf(broken(source, faults, number), response, source);
  };
}

async function* broken(source: BodyReader, faults: Faults, stream: number): AsyncGenerator<string, void, void> {
  const of = <Value>(given: ForStreams<Value> | undefined): Value | undefined =>
    isList(given) ? given[stream] : stream === 0 ? given : undefined;
  const [dropAt, cutAt, closeAt, duplicate] = [
    of(faults.dropAt),
    of(faults.cutAt),
    of(faults.closeAt),
    of(faults.duplicate),
  ];
  const after = of(faults.after);
  let event = 0;
  for await (const frame of wireFrames(source)) {
    if (frame.isEvent) event += 1;
    if (frame.isEvent && faults.delay) await pause(faults.delay, faults.clock ?? systemClock);
    if (event === dropAt) throw connectionLost();
    if (event === closeAt) return;
    if (event === cutAt) {
      yield frame.text.slice(0, Math.ceil(frame.text.length / 2));
      throw connectionLost();
    }
    yield frame.text;
    if (frame.isEvent && event === duplicate) yield frame.text;
    if (frame.isEvent && event === after?.event) await after.do();
  }
}

function isList<Value>(given: ForStreams<Value> | undefined): given is readonly (Value | undefined)[] {
  return Array.isArray(given);
}

function pause(milliseconds: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}
