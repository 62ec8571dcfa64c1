import type { ClosableStream } from './closing.ts';
import type { GrpcCall } from './grpc-exchange.ts';

/** The bytes of a call as they arrive: a message that is too large is refused before it is complete. Not part of gRPC's interface. */
interface RawStream extends ClosableStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
}

/** The call as grpc-js has received it. */
export function baseCallOf(call: GrpcCall): { readonly stream?: RawStream } {
  return (call as unknown as { readonly call?: { readonly stream?: RawStream } }).call ?? {};
}

export function rawStreamOf(call: GrpcCall): RawStream | undefined {
  const { stream } = baseCallOf(call);
  return typeof stream?.on === 'function' && typeof stream.off === 'function' ? stream : undefined;
}
