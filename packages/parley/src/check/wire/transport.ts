import type { Exchange, Outgoing } from './exchange.ts';
import type { EventSource } from './stream/event-source.ts';

/** The method of requests that go over gRPC. Their URL is the address of the server and the path of the procedure. */
export const GRPC_METHOD = 'gRPC';

/** The outcome of a request: the response, or the reason why there is none. */
export type Came = Pick<Exchange, 'got' | 'trouble' | 'late'>;

/** Carries requests that do not go over HTTP/1. */
export interface Transport {
  /** Rejects where the signal ends it before there is a response. */
  readonly exchange: (sent: Outgoing, signal: AbortSignal) => Promise<Came>;
  /** The same for a stream; gives what came where it is refused. */
  readonly open: (sent: Outgoing, signal: AbortSignal) => Promise<{ readonly source: EventSource } | Came>;
  readonly close: () => void;
}
