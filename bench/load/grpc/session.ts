import { type ClientHttp2Session, connect } from 'node:http2';
import { MessageCounter } from './message-counter.ts';

/** What a client of gRPC sends before its message. */
const HEADERS = {
  ':method': 'POST',
  'content-type': 'application/grpc',
  te: 'trailers',
  'a2a-version': '1.0',
};
/** Streams and sessions may have so many bytes on their way, as clients of gRPC allow them. */
const WINDOW = 4 * 1024 * 1024;

/** One connection of HTTP/2 with many calls at a time. It does less than grpc-js, so that the load is not what limits a server. */
export class GrpcSession {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static open(port: number): Promise<GrpcSession> {
    return new Promise((resolve, reject) => {
      const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: WINDOW } });
      session.once('error', reject);
      session.once('connect', () => {
        session.setLocalWindowSize(WINDOW);
        resolve(new GrpcSession(session));
      });
    });
  }

  /** Resolves with what came when the call has ended; rejects where its status is not OK. `request`: with its head. */
  call(path: string, request: Uint8Array, counter: MessageCounter = new MessageCounter()): Promise<MessageCounter> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({ ...HEADERS, ':path': path });
      let status: unknown;
      const note = (headers: Readonly<Record<string, unknown>>): void => {
        status ??= headers['grpc-status'];
      };
      stream.on('response', note);
      stream.on('trailers', note);
      stream.on('data', counter.add);
      stream.on('error', reject);
      stream.on('close', () => {
        if (status === '0') resolve(counter);
        else reject(new Error(`The call ended with status ${String(status)}`));
      });
      stream.end(request);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}
