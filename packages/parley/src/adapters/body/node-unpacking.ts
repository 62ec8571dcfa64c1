import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { bombIn, notPacked, packingOf } from '../../bindings/http/body/content-encoding.ts';
import type { A2AError } from '../../model/errors/errors.ts';

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const KNOWN = Object.keys(UNPACKERS);

/** A body that is being unpacked. */
export interface Unpacking {
  readonly unpacked: Transform;
  /** The error of a body that has become too large for what came; `size`: the bytes unpacked so far. */
  refusalOf(size: number): A2AError | undefined;
  /** The error for a peer of what the unpacker reported. */
  failure(cause: unknown): A2AError;
  /** Nothing more is wanted of it. */
  stop(): void;
}

/** Undefined where the body is plain. Throws the refusal of an encoding that is not known. */
export function unpackingOf(incoming: IncomingMessage): Unpacking | undefined {
  const encoding = packingOf(incoming.headers['content-encoding'], KNOWN);
  const create = encoding === undefined ? undefined : UNPACKERS[encoding];
  if (encoding === undefined || !create) return undefined;
  const unpacked = create();
  let packed = 0;
  incoming.on('data', (chunk: Buffer) => {
    packed += chunk.length;
  });
  incoming.pipe(unpacked);
  return {
    unpacked,
    refusalOf: (size) => bombIn(size, packed),
    failure: (cause) => notPacked(encoding, cause),
    stop() {
      incoming.unpipe(unpacked);
      unpacked.destroy();
      incoming.resume();
    },
  };
}
