import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

interface Waiting {
  readonly reader: ResponseReader;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * One kept HTTP/1.1 connection with one request at a time. It does less than `node:http`, so that the load generator
 * is not what limits a server.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #headers: string;
  #waiting: Waiting | undefined;
  /** The server had no time for the last request. */
  wasShed = false;

  private constructor(socket: Socket, headers: string) {
    this.#socket = socket;
    this.#headers = headers;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection')));
  }

  /** `headers`: lines of further headers, each with its end. */
  static open(port: number, headers: string = ''): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket, headers)));
      socket.once('error', reject);
    });
  }

  /** Resolves when the response has ended. */
  request(body: string, onBody: (bytes: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { reader: new ResponseReader(onBody), resolve, reject };
      this.#socket.write(
        `POST /a2a HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\na2a-version: 1.0\r\n${this.#headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  /** Servers close connections that are idle for some seconds. */
  get isOpen(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded;
  }

  /** Reads nothing from here on. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      if (!waiting.reader.read(bytes)) return;
      this.#waiting = undefined;
      this.wasShed = waiting.reader.isShed;
      waiting.resolve();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}
