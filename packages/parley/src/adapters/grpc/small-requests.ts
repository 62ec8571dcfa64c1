import type { GrpcCall } from './grpc-exchange.ts';
import { rawStreamOf } from './raw-stream.ts';

/** The most bytes of a request for health or reflection. Anybody may send one, and it only has a name. */
const MOST_BYTES = 65_536;
const RESOURCE_EXHAUSTED = 8;

/** Ends a call with a status as soon as one of its messages is longer than a name can be, before it is held in memory. */
export function boundRequests(call: GrpcCall): void {
  const raw = rawStreamOf(call);
  let size = 0;
  const count = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= MOST_BYTES) return;
    raw?.off('data', count);
    call.pause();
    call.emit('error', { code: RESOURCE_EXHAUSTED, details: `The request has more than ${MOST_BYTES} bytes` });
  };
  raw?.on('data', count);
  call.on('data', () => {
    size = 0;
  });
}
