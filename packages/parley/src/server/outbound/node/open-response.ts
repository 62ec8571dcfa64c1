import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ResponseStream } from '../../../bindings/exchange.ts';
import { OutboundError } from '../outbound-error.ts';

/** A response whose body is read while it comes. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The request as it was sent. */
  readonly sent: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
  };
  readonly body: ResponseStream;
  /** Calls back once, when the body is at its end, or its connection is. */
  whenClosed(callback: () => void): void;
}

export function openResponse(response: IncomingMessage, url: string, mostBytes: number): OpenResponse {
  const { rawHeaders, statusCode = 0 } = response;
  const { req: request } = response as IncomingMessage & { readonly req: ClientRequest };
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  const sent = request.getRawHeaderNames().map((name) => [name, String(request.getHeader(name) ?? '')] as const);
  return {
    status: statusCode,
    headers,
    sent: { method: request.method, url, headers: sent },
    body: new PassedBody(response, mostBytes),
    whenClosed: (callback) => void response.once('close', callback),
  };
}

/** Hands on what comes as fast as it is read. A body that breaks off, or is too large, throws, so that its reader sees that too. */
class PassedBody implements ResponseStream {
  readonly #response: IncomingMessage;
  readonly #mostBytes: number;
  #size = 0;
  #failure: Error | undefined;
  #waiting: (() => void) | undefined;
  onClose: (() => void) | undefined;

  constructor(response: IncomingMessage, mostBytes: number) {
    this.#response = response;
    this.#mostBytes = mostBytes;
    const wake = () => {
      const callback = this.#waiting;
      this.#waiting = undefined;
      callback?.();
    };
    response.on('readable', wake);
    response.on('end', wake);
    response.on('error', (error) => {
      this.#failure ??= error;
      wake();
    });
    response.on('close', wake);
  }

  read(): Uint8Array | string | undefined {
    const piece = this.#response.read() as Uint8Array | null;
    if (piece !== null) {
      this.#size += piece.length;
      if (this.#size <= this.#mostBytes) return piece;
      this.#failure = new OutboundError('TOO_LARGE', `responds with more than ${this.#mostBytes} bytes`);
      this.#response.destroy();
    }
    if (this.#response.readableEnded) return undefined;
    if (this.#failure || this.#response.destroyed) {
      throw this.#failure ?? new OutboundError('UNREACHABLE', 'broke off its response');
    }
    return '';
  }

  whenReadable(callback: () => void): void {
    this.#waiting = callback;
    if (this.#response.readableLength > 0 || this.#response.readableEnded || this.#response.destroyed) {
      this.#waiting = undefined;
      queueMicrotask(callback);
    }
  }

  get isComplete(): boolean {
    return this.#response.complete && this.#response.readableEnded;
  }

  close(): void {
    if (!this.#response.destroyed) this.#response.destroy();
    const callback = this.#waiting;
    this.#waiting = undefined;
    callback?.();
    this.onClose?.();
    this.onClose = undefined;
  }
}
