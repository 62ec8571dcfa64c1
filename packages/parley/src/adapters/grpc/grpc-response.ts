import type { Metadata } from '@grpc/grpc-js';
import type { ExchangeResponse, ResponseHeaders, ResponseStream } from '../../bindings/exchange.ts';
import { FRAME_HEAD, STATUS_FRAME, WholeResponse } from '../../bindings/grpc/serving/frames.ts';
import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import type { GrpcExchange } from './grpc-exchange.ts';
import { readStatus } from './grpc-status.ts';
import type { Grpc } from './packages.ts';
import type { ServedCall } from './served-call.ts';

interface GrpcWriting {
  readonly grpc: Grpc;
  readonly exchange: GrpcExchange;
  /** Milliseconds that a reader of a stream may take nothing. */
  readonly stallTimeout: number;
  /** Is told of what goes wrong later, while a stream is written. */
  readonly fail: (error: unknown) => void;
}

/** Headers that say nothing to a client of gRPC, or that gRPC has for itself. */
const LEFT_OUT = /^(?:grpc-|access-control-|content-|cache-control$|vary$|connection$|:)/;

/** The most bytes of a message that needs nobody to watch over its reader: a stream of HTTP/2 takes so many at once. */
const SMALL_MESSAGE = 8192;

/** Writes a response; that of a stream goes on after this has returned. */
export function writeGrpc(call: ServedCall, response: ExchangeResponse, writing: GrpcWriting): void {
  const { headers, body } = response;
  if (call.isGone) {
    if (typeof body === 'object') body.close();
  } else if (typeof body === 'object') {
    call.sendMetadata(usualMetadataOf(writing.grpc, headers));
    const frame = body instanceof WholeResponse && body.size <= SMALL_MESSAGE ? body.read() : undefined;
    if (frame) {
      writing.exchange.isOver = true;
      call.endWith(bufferOf(frame));
      body.close();
    } else {
      pumpFrames(call, body, writing);
    }
  } else {
    writing.exchange.isOver = true;
    const metadata = metadataOf(writing.grpc, headers);
    const status = readStatus(response);
    if (status.details) metadata.set('grpc-status-details-bin', status.details);
    call.end({ code: status.code, details: status.message, metadata });
  }
}

function metadataOf({ Metadata }: Grpc, headers: ResponseHeaders): Metadata {
  const metadata = new Metadata();
  for (const name in headers) if (!LEFT_OUT.test(name)) metadata.set(name, printable(headers[name] as string));
  return metadata;
}

/** The one header that every response has; most have no other. */
const VERSION = 'a2a-protocol-version';

/** The metadata of responses that have nothing but their version, by that; they never change. */
const usualMetadata = new Map<string, Metadata>();

function usualMetadataOf(grpc: Grpc, headers: ResponseHeaders): Metadata {
  const version = headers[VERSION];
  for (const name in headers) if (name !== VERSION && !LEFT_OUT.test(name)) return metadataOf(grpc, headers);
  if (version === undefined) return metadataOf(grpc, headers);
  const known = usualMetadata.get(version);
  if (known) return known;
  const made = metadataOf(grpc, { [VERSION]: version });
  usualMetadata.set(version, made);
  return made;
}

/** Values of metadata are printable ASCII. */
function printable(value: string): string {
  return /^[ -~]*$/.test(value) ? value : value.replace(/[^ -~]/g, '?');
}

/** Writes as fast as the client reads, and frees the stream at once when the client is gone. */
function pumpFrames(call: ServedCall, body: ResponseStream, { grpc, exchange, stallTimeout, fail }: GrpcWriting): void {
  let stalled: NodeJS.Timeout | undefined;
  // A message that is there from the start comes in pieces, none of which is a status.
  const isWhole = body.size !== undefined;
  const stop = () => {
    clearTimeout(stalled);
    body.close();
  };
  const end = (last?: Buffer) => {
    exchange.isOver = true;
    clearTimeout(stalled);
    if (!last) {
      call.end();
      return;
    }
    const details = last.subarray(FRAME_HEAD);
    const { code, message } = readStatus({ headers: {}, status: 500 }, details);
    const metadata = new grpc.Metadata();
    metadata.set('grpc-status-details-bin', details);
    call.end({ code, details: message, metadata });
  };
  const pump = (): void => {
    try {
      while (!exchange.isOver && !call.isGone) {
        const read = body.read();
        if (read === '') {
          body.whenReadable(pump);
          return;
        }
        if (read === undefined) {
          if (isWhole && body.isComplete === false) giveUp();
          else end();
          return;
        }
        const piece = bufferOf(read);
        if (!isWhole && piece[0] === STATUS_FRAME) {
          end(piece);
          return;
        }
        if (!call.write(piece, goOn)) {
          watch();
          return;
        }
      }
    } catch (error) {
      // The code that publishes events must not meet the trouble of one reader.
      fail(error);
      stop();
    }
  };
  const goOn = () => {
    clearTimeout(stalled);
    pump();
  };
  const giveUp = () => {
    stop();
    exchange.isOver = true;
    const details = isWhole ? 'The response was not read; ask again' : 'The stream was not read; subscribe again';
    call.end({ code: grpc.status.UNAVAILABLE, details, metadata: null });
  };
  const watch = () => {
    if (stallTimeout === Number.POSITIVE_INFINITY) return;
    clearTimeout(stalled);
    stalled = setTimeout(giveUp, Math.min(stallTimeout, LONGEST_TIMER));
    stalled.unref();
  };
  call.onCancel(stop);
  pump();
}

function bufferOf(piece: string | Uint8Array): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}
