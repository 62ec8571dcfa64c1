import type { Client, Metadata } from '@grpc/grpc-js';
import { httpStatusOf } from '../errors.ts';
import type { Grpc } from '../packages.ts';
import type { FailedStatus } from '../status.ts';
import type { Carried } from './carried.ts';
import { fillMetadata, textIn } from './metadata.ts';

/** One call as it is sent. */
export interface OutgoingGrpc {
  readonly grpc: Grpc;
  readonly channel: Client;
  readonly path: string;
  readonly request: Uint8Array;
  /** Milliseconds; undefined = none. */
  readonly deadline: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Messages are bytes to gRPC: the codec reads and writes them. */
export const asBytes = (bytes: Uint8Array): Buffer => bytes as Buffer;

/** A call with one response. */
export class UnaryCall implements Carried {
  readonly #call: OutgoingGrpc;
  response: Uint8Array | undefined;
  failure: FailedStatus | undefined;
  /** The metadata that the response began with. */
  head: Metadata | undefined;

  constructor(call: OutgoingGrpc) {
    this.#call = call;
  }

  begin(headers: Headers): Promise<Response> {
    const { grpc, channel, path, request, deadline, signal } = this.#call;
    this.response = undefined;
    this.failure = undefined;
    const metadata = fillMetadata(new grpc.Metadata(), headers);
    return new Promise((resolve) => {
      const options = deadline === undefined ? {} : { deadline: Date.now() + deadline };
      const cancel = () => call.cancel();
      const call = channel.makeUnaryRequest(
        path,
        asBytes,
        asBytes,
        request,
        metadata,
        options,
        (failure, response?: Uint8Array) => {
          signal?.removeEventListener('abort', cancel);
          this.response = response;
          if (failure) this.failure = failure;
          resolve(shownResponse(this.failure, this.head));
        },
      );
      call.on('metadata', (head) => {
        this.head = head;
      });
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
  }
}

/** The part of an outcome that the guard of credentials sees. */
export function shownResponse(failure: FailedStatus | undefined, head: Metadata | undefined): Response {
  const status = (failure && httpStatusOf(failure)) ?? 200;
  const challenge = textIn(failure?.metadata, 'www-authenticate') ?? textIn(head, 'www-authenticate');
  return new Response(null, { status, headers: challenge === undefined ? {} : { 'www-authenticate': challenge } });
}
