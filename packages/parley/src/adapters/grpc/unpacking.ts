import type { Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { FRAME_HEAD } from '../../bindings/grpc/serving/frames.ts';

/** Is told how many bytes more were unpacked; false gives their message up. */
type Room = (added: number) => boolean;

/** The function with which grpc-js unpacks messages. It is no part of gRPC's interface: if it is not found, the library itself unpacks. */
interface PackedCall {
  readonly incomingEncoding?: unknown;
  decompressMessage?: (framed: Buffer, encoding: string) => Buffer | Promise<Buffer>;
}

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
]);

/** The status of a message that is not what its encoding says. */
const BROKEN = { code: 13, details: 'Failed to decompress message' };

/**
 * Counts the bytes of compressed messages while they are unpacked: a few bytes on the wire become many megabytes, and the library
 * holds them for as many calls as there are. A message that is given up is never handed on, so its call must be ended.
 */
export function countUnpacked(call: object, hasRoom: Room): void {
  const packed = call as PackedCall;
  const unpackAlone = packed.decompressMessage;
  if (packed.incomingEncoding === 'identity' || typeof unpackAlone !== 'function') return;
  packed.decompressMessage = (framed, encoding) => {
    const unpacker = UNPACKERS.get(encoding)?.();
    return unpacker
      ? unpack(framed.subarray(FRAME_HEAD), unpacker, hasRoom)
      : unpackAlone.call(packed, framed, encoding);
  };
}

function unpack(bytes: Buffer, unpacker: Transform, hasRoom: Room): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    unpacker.on('data', (piece: Buffer) => {
      if (hasRoom(piece.length)) pieces.push(piece);
      else unpacker.destroy();
    });
    unpacker.once('error', () => reject(BROKEN));
    unpacker.once('end', () => resolve(Buffer.concat(pieces)));
    unpacker.end(bytes);
  });
}
