import type { FuzzedCall } from './mutations.ts';
import type { CallEnd } from './raw-calls.ts';

const INTERNAL = 13;
const UNKNOWN = 2;
const LAST_STATUS = 16;
const LONGEST_MESSAGE = 4_000;
/** `NGHTTP2_NO_ERROR` and `NGHTTP2_CANCEL`: a call that is over need not be read to its end. */
const FRIENDLY: ReadonlySet<number> = new Set([0, 8]);

/** Returns the reason why a call may not end so; undefined where it may. */
export function problemOfCall(call: FuzzedCall, end: CallEnd): string | undefined {
  if (end.isServed) return undefined;
  if (!FRIENDLY.has(end.reset)) return `a reset with the code ${end.reset}`;
  if (end.status === undefined) return `no status, with HTTP ${end.http}`;
  if (!Number.isInteger(end.status) || end.status < 0 || end.status > LAST_STATUS) return `the status ${end.status}`;
  if (end.message.length > LONGEST_MESSAGE) return 'a long message';
  if (end.status === INTERNAL || end.status === UNKNOWN) {
    return !end.hasDetails && isOddForLibrary(call) ? undefined : `the status ${end.status} (${end.message})`;
  }
  return undefined;
}

/** What `@grpc/grpc-js` calls internal by itself: packed messages that it cannot unpack, and times that are none. */
function isOddForLibrary({ body, metadata }: FuzzedCall): boolean {
  const isPacked = body.length > 0 && body[0] !== 0;
  return isPacked || 'grpc-timeout' in metadata || 'grpc-encoding' in metadata;
}
