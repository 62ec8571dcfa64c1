import { grpcNameOf } from '../grpc/codes.ts';

/** A request as it goes out. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A response as it came in. */
export interface Incoming {
  /** The HTTP status; over gRPC the one that says the same. */
  readonly status: number;
  /** The number of the status of gRPC, where the call went over that. */
  readonly grpc?: number | undefined;
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One request and what came of it: the evidence of a check. */
export interface Exchange {
  readonly sent: Outgoing;
  /** Absent where no response came. */
  readonly got?: Incoming | undefined;
  /** Why there is no response, or only a part of it. */
  readonly trouble?: string | undefined;
  /** True where no response came in time, rather than none at all. */
  readonly late?: boolean | undefined;
  /** True where the request was wrong on purpose. */
  readonly odd?: boolean | undefined;
}

/** `HTTP 404`, or `gRPC 5 NOT_FOUND`. */
export function statusLine({ status, grpc }: Pick<Incoming, 'status' | 'grpc'>): string {
  return grpc === undefined ? `HTTP ${status}` : `gRPC ${grpc} ${grpcNameOf(grpc)}`;
}

/** The media type of a response without its parameters, in lower case. */
export function mediaTypeOf(exchange: Exchange): string {
  return (exchange.got?.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
