import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import type { FuzzedCall } from './mutations.ts';

/** How a call ended. */
export interface CallEnd {
  /** Of HTTP. */
  readonly http: number | undefined;
  /** Of gRPC; undefined where none came. */
  readonly status: number | undefined;
  /** The server gave details: the status is its own, and not the library's. */
  readonly hasDetails: boolean;
  readonly message: string;
  /** A message came. */
  readonly isServed: boolean;
  /** The code of a reset; 0 where there was none. */
  readonly reset: number;
}

/** A call that has brought nothing by then hangs. */
const PATIENCE_MS = 60_000;

/** Calls of gRPC without a library: what is sent need not be gRPC. */
export class RawCalls {
  readonly #url: string;
  #session: ClientHttp2Session | undefined;

  constructor(address: string) {
    this.#url = `http://${address}`;
  }

  /** Rejects where the call neither ends nor brings anything. */
  ask({ path, metadata, body }: FuzzedCall): Promise<CallEnd> {
    const session = this.#open();
    return new Promise((resolve, reject) => {
      const call = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...metadata,
      });
      let head: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders = {};
      let isServed = false;
      const timer = setTimeout(() => {
        reject(new Error('the call hangs'));
        call.close(constants.NGHTTP2_CANCEL);
      }, PATIENCE_MS);
      call.on('response', (headers) => {
        head = headers;
      });
      call.on('trailers', (headers) => {
        trailers = headers;
      });
      call.on('data', () => {
        isServed = true;
        // A stream may wait for its task for ever: its beginning is enough.
        call.close(constants.NGHTTP2_CANCEL);
      });
      call.on('error', () => {});
      call.on('close', () => {
        clearTimeout(timer);
        const all = { ...head, ...trailers };
        const status = all['grpc-status'];
        resolve({
          http: head[':status'] === undefined ? undefined : Number(head[':status']),
          status: status === undefined ? undefined : Number(status),
          hasDetails: all['grpc-status-details-bin'] !== undefined,
          message: String(all['grpc-message'] ?? ''),
          isServed,
          reset: call.rstCode ?? 0,
        });
      });
      call.end(body);
    });
  }

  close(): void {
    this.#session?.destroy();
  }

  /** A server may close a connection that misuses it: the next call makes another. */
  #open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.#url);
    session.on('error', () => {});
    this.#session = session;
    return session;
  }
}
