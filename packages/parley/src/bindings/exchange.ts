import type { Caller } from '../model/call.ts';
import type { A2AError } from '../model/errors/errors.ts';

/** Header names in lower case; several values of one name as a list. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The certificate of a client, as Node describes it. */
export interface ClientCertificate {
  /** The parts of the subject's name in the certificate's order, e.g. `{ O: 'Acme', CN: 'alice' }`. */
  readonly subject: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly issuer?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** E.g. `DNS:alice.example.com, URI:spiffe://example.com/alice`. */
  readonly subjectaltname?: string | undefined;
  /** SHA-256 of the certificate, in hexadecimal pairs with colons. */
  readonly fingerprint256: string;
  readonly serialNumber?: string | undefined;
}

export interface Peer {
  /** Asked for only where it is needed: finding out takes a system call. */
  readonly address?: string | undefined;
  /** The socket tells that the peer is on this machine and no other machine reaches the server. Default false. */
  readonly isLocal?: boolean | undefined;
  /** The server itself listens there, on an address that no other machine reaches; no framework is between. Default false. */
  readonly isOwnLoopback?: boolean | undefined;
  /** The scheme that the peer used. Default `http`. */
  readonly protocol?: 'http' | 'https' | undefined;
  /** The client's certificate; present only where the TLS layer has verified it. */
  readonly certificate?: ClientCertificate | undefined;
}

/**
 * A request, free of any framework. A plain object rather than a web `Request`, which costs more than the rest of the
 * path; `server.fetch` is built on it.
 */
export interface ExchangeRequest {
  readonly method: string;
  /** Path and query, below the prefix. */
  readonly url: string;
  /** The path at which a framework has mounted the server, e.g. `/agents`, without a slash at its end. Default: the root. */
  readonly prefix?: string | undefined;
  readonly headers: RequestHeaders;
  /** The name of the binding that the request came by, where its address does not tell. Default: its address does. */
  readonly carrier?: string | undefined;
  /**
   * The bytes, their text, or what a framework has already parsed; undefined = no body, or none that was read. See also
   * `Unread`, `Truncated` and `Consumed`.
   */
  readonly body: unknown;
  /**
   * Reads the body, which is left on the wire until the server knows that it is wanted; resolves when it is there.
   * Not there where the body is already.
   *
   * @param most a body of more bytes is refused; undefined for a request that is refused anyway, of whose body only a little
   *   is read, to tell its id and dialect
   */
  readBody?(most: number | undefined): Promise<void> | undefined;
  /** Tells whether a body that is not read yet is more than a little, or of unknown length. */
  readonly isBodyLarge?: boolean | undefined;
  /** Lets go of the bytes of the body, which are needed no more. `summary`: what stands for them from then on. */
  releaseBody?(summary?: unknown): void;
  /** The adapter writes a long text in pieces, as fast as the client reads. Default false. */
  readonly takesPieces?: boolean | undefined;
  /** The error that refuses the request, whatever it asks for. */
  readonly fault?: A2AError | undefined;
  readonly peer: Peer;
  /** The caller of a request that comes from inside the process and needs no proof. */
  readonly caller?: Caller | undefined;
  /**
   * Calls back once, when the client closes its connection before the response is complete; at once where it has. Returns a
   * function that prevents it. Requests that never ask add no listener to their connection.
   */
  onAbort?(listener: () => void): () => void;
}

/** Stands for a body that was not read to its end, and for the reason: the binding refuses it in its own shape. */
export class Unread {
  readonly reason: A2AError;

  constructor(reason: A2AError) {
    this.reason = reason;
  }
}

/** Stands for a body that broke off before its end. */
export class Truncated {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Stands for a body that a framework has read and not kept. */
export class Consumed {}

export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * A body that grows while it is read. It is polled, without a promise for each piece: a stream of many small events
 * would spend more on promises than on its events.
 */
export interface ResponseStream {
  /** All that is ready now, '' if that is nothing yet; undefined at the end. Bytes are shared: not to be changed. */
  read(): string | Uint8Array | undefined;
  /** Calls back once, as soon as `read` has something to say. Only one callback waits at a time. */
  whenReadable(callback: () => void): void;
  /** Frees its source at once; a reader that waits is called back. */
  close(): void;
  /** The whole text, where it is there from the start: the response then has a length. */
  readonly whole?: string | undefined;
  /** The bytes of a message that is there from the start and has no text; undefined for what comes in time. */
  readonly size?: number | undefined;
  /** False: it was ended before its end. */
  readonly isComplete?: boolean | undefined;
  /** True: it failed, and its reader must not take it for complete. */
  readonly isBroken?: boolean | undefined;
  /** Called when it is closed, also where that was not asked for: a stream may have a limit of its own. */
  onClose?: (() => void) | undefined;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string | ResponseStream | undefined;
  /** The error that it tells: the scope of a 403 in `WWW-Authenticate` and the time of a `Retry-After` are taken from it. */
  readonly error?: A2AError | undefined;
}

export function header(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  return value.join(', ');
}
