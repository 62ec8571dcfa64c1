import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import type { ServerLimits } from '../../server/limits/limits.ts';
import { closeInTime, type StallTimer } from './closing.ts';
import type { GrpcCall } from './grpc-exchange.ts';
import { baseCallOf, rawStreamOf } from './raw-stream.ts';
import { countUnpacked } from './unpacking.ts';

/** The most bytes of a request for health or reflection. Any client may send one, and it only has a name. */
const MOST_BYTES = 65_536;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;

export interface SmallLimits extends Pick<ServerLimits, 'bodyTimeout'> {
  readonly whenStalled: StallTimer;
}

/**
 * Ends a call with a status as soon as one of its messages is longer than a name can be, before it is held in memory, and where the
 * next one does not come in time. Returns a function for calls that need no other request: they may stay open.
 */
export function boundRequests(call: GrpcCall, { bodyTimeout, whenStalled }: SmallLimits): () => void {
  const raw = rawStreamOf(call);
  let size = 0;
  let isRefused = false;
  const hasRoom = (added: number) => {
    size += added;
    if (isRefused || size <= MOST_BYTES) return !isRefused;
    isRefused = true;
    raw?.off('data', count);
    call.pause();
    call.emit('error', { code: RESOURCE_EXHAUSTED, details: `The request has more than ${MOST_BYTES} bytes` });
    return false;
  };
  const count = (chunk: Uint8Array) => void hasRoom(chunk.length);
  raw?.on('data', count);
  countUnpacked(baseCallOf(call), hasRoom);
  const timer = timerOf(bodyTimeout, () => {
    call.emit('error', { code: UNAVAILABLE, details: `No request came within ${bodyTimeout} ms` });
  });
  call.on('data', () => {
    size = 0;
    timer?.refresh();
  });
  call.once('cancelled', () => {
    clearTimeout(timer);
    if (raw) closeInTime(raw, whenStalled);
  });
  return () => clearTimeout(timer);
}

function timerOf(milliseconds: number, passed: () => void): NodeJS.Timeout | undefined {
  if (milliseconds === Number.POSITIVE_INFINITY) return undefined;
  return setTimeout(passed, Math.min(milliseconds, LONGEST_TIMER)).unref();
}
