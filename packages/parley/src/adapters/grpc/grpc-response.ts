import type { Metadata } from '@grpc/grpc-js';
import type { ExchangeResponse, ResponseHeaders, ResponseStream } from '../../bindings/exchange.ts';
import { FRAME_HEAD, STATUS_FRAME } from '../../bindings/grpc/serving/frames.ts';
import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import type { GrpcCall, GrpcExchange } from './grpc-exchange.ts';
import { readStatus } from './grpc-status.ts';
import type { Grpc } from './packages.ts';

export interface GrpcWriting {
  readonly grpc: Grpc;
  readonly exchange: GrpcExchange;
  /** Milliseconds that a reader of a stream may take nothing. */
  readonly stallTimeout: number;
  /** Is told of what goes wrong later, while a stream is written. */
  readonly fail: (error: unknown) => void;
}

const NOTHING = Buffer.alloc(0);

/** Headers that say nothing to a client of gRPC, or that gRPC has for itself. */
const LEFT_OUT = /^(?:grpc-|access-control-|content-|cache-control$|vary$|connection$|:)/;

/** Writes a response; that of a stream goes on after this has returned. */
export function writeGrpc(call: GrpcCall, response: ExchangeResponse, writing: GrpcWriting): void {
  const { headers, body } = response;
  if (call.cancelled || call.destroyed) {
    if (typeof body === 'object') body.close();
  } else if (typeof body === 'object') {
    call.sendMetadata(metadataOf(writing.grpc, headers));
    pumpFrames(call, body, writing);
  } else {
    writing.exchange.isOver = true;
    const metadata = metadataOf(writing.grpc, headers);
    const status = readStatus(response);
    if (status.details) metadata.set('grpc-status-details-bin', status.details);
    call.emit('error', { code: status.code, details: status.message, metadata });
  }
}

function metadataOf({ Metadata }: Grpc, headers: ResponseHeaders): Metadata {
  const metadata = new Metadata();
  for (const name in headers) if (!LEFT_OUT.test(name)) metadata.set(name, printable(headers[name] as string));
  return metadata;
}

/** Values of metadata are printable ASCII. */
function printable(value: string): string {
  return /^[ -~]*$/.test(value) ? value : value.replace(/[^ -~]/g, '?');
}

/** Writes as fast as the client reads, and frees the stream at once when the client is gone. */
function pumpFrames(call: GrpcCall, body: ResponseStream, { grpc, exchange, stallTimeout, fail }: GrpcWriting): void {
  let stalled: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(stalled);
    body.close();
  };
  const end = (frame?: Buffer) => {
    exchange.isOver = true;
    clearTimeout(stalled);
    if (!frame) {
      call.end();
      return;
    }
    const details = frame.subarray(FRAME_HEAD);
    const { code, message } = readStatus({ headers: {}, status: 500 }, details);
    const metadata = new grpc.Metadata();
    metadata.set('grpc-status-details-bin', details);
    call.emit('error', { code, details: message, metadata });
  };
  let piece: Buffer = NOTHING;
  let at = 0;
  /** Hands on the messages of a piece; false where the client must read first, or the stream is over. */
  const forward = (): boolean => {
    while (at < piece.length) {
      const next = at + FRAME_HEAD + piece.readUInt32BE(at + 1);
      if (piece[at] === STATUS_FRAME) {
        end(piece.subarray(at, next));
        return false;
      }
      const isFree = call.write(piece.subarray(at + FRAME_HEAD, next));
      at = next;
      if (isFree) continue;
      watch();
      return false;
    }
    return true;
  };
  const pump = (): void => {
    try {
      while (!exchange.isOver && !call.destroyed && forward()) {
        const read = body.read();
        if (read === '') {
          body.whenReadable(pump);
          return;
        }
        if (read === undefined) {
          end();
          return;
        }
        piece = bufferOf(read);
        at = 0;
      }
    } catch (error) {
      // The code that publishes events must not meet the trouble of one reader.
      fail(error);
      stop();
    }
  };
  const giveUp = () => {
    stop();
    exchange.isOver = true;
    call.emit('error', { code: grpc.status.UNAVAILABLE, details: 'The stream was not read; subscribe again' });
  };
  const watch = () => {
    if (stallTimeout === Number.POSITIVE_INFINITY) return;
    clearTimeout(stalled);
    stalled = setTimeout(giveUp, Math.min(stallTimeout, LONGEST_TIMER));
    stalled.unref();
  };
  call.on('drain', () => {
    clearTimeout(stalled);
    pump();
  });
  call.once('cancelled', stop);
  pump();
}

function bufferOf(piece: string | Uint8Array): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}
