import type { CallingDialect } from '../../../dialects/calling/calling.ts';
import { A2AError, quoted } from '../../../model/errors/errors.ts';
import { type ErrorSubject, operationCodeOf, transportCodeOf } from '../../../model/errors/http-status-codes.ts';
import { type FailedStatus, hasDetails, readDetails, STATUS_NAMES } from './status.ts';

/** The call that failed. */
export interface FailedCall {
  readonly url: string;
  readonly dialect: CallingDialect;
  readonly subject: ErrorSubject;
  /** The bytes of its request. */
  readonly requestBytes: number;
}

/** The HTTP status that says the same; the guard of credentials goes by it, and so do those who repeat calls. */
const HTTP_STATUSES: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
};

export function httpStatusOf({ code }: FailedStatus): number | undefined {
  return HTTP_STATUSES[nameOf(code) ?? ''];
}

const nameOf = (code: number | undefined): string | undefined => (code === undefined ? undefined : STATUS_NAMES[code]);

/** The error of a call that gRPC itself, or the server, ended with another status than OK. */
export function errorOfStatus(status: FailedStatus, call: FailedCall): A2AError {
  return localError(status, call) ?? serverError(status, call);
}

/** The name of an error of 0.3, which servers write before its text; the reader of errors goes by it, before the status. */
const NAMED = /^(\w+Error)(?:: |$)/;

function serverError(status: FailedStatus, { dialect, subject }: FailedCall): A2AError {
  const { details: text = '' } = status;
  const { json, retryAfter } = readDetails(status);
  const name = nameOf(status.code) ?? 'UNKNOWN';
  const [prefix = '', named] = NAMED.exec(text) ?? [];
  const isVague = named === 'InternalError' && httpStatusOf(status) !== undefined;
  const type = json.length === 0 && !isVague ? named : undefined;
  const message = text.slice(prefix.length) || text || `The server ended the call: ${name}`;
  const body = { error: { status: name, message, details: json, type } };
  const error = dialect.rest.decodeError(body, subject.operation);
  if (!error) return new A2AError('INTERNAL', text);
  const isUnnamed = json.length === 0 && type === undefined;
  const byStatus = isUnnamed ? operationCodeOf(SAME_IN_HTTP[name] ?? 0, subject) : undefined;
  const { metadata, violations, reason } = error;
  return new A2AError(byStatus ?? error.code, error.message, {
    metadata,
    violations,
    reason,
    retryAfter,
    httpStatus: httpStatusOf(status),
  });
}

/** The statuses of HTTP that mean the same as these, where a server names no error. */
const SAME_IN_HTTP: Readonly<Record<string, number>> = { NOT_FOUND: 404, FAILED_PRECONDITION: 409 };

/** The texts of `@grpc/grpc-js` for connections that were never made, so that nothing was sent. */
const NEVER_CONNECTED = /^(?:No connection established|Name resolution failed|Stream refused by server)/;
const CUT = /^(?:Connection dropped|Call cancelled|Received RST_STREAM|.*\b(?:ECONNRESET|EPIPE|ETIMEDOUT)\b)/;
const NOT_GRPC = /^Received HTTP status code (\d+)/;
const TOO_LARGE = /^(?:Received|Sent) message larger than max \((\d+) vs/;
const UNREADABLE =
  /^(?:Error deserializing|Response message parsing error|Too many responses|No message received|Failed to decompress)/;

/** The error of a call that the server did not end; undefined where it did. */
function localError(status: FailedStatus, { url, requestBytes }: FailedCall): A2AError | undefined {
  const { code, details: text } = status;
  if (hasDetails(status)) return undefined;
  if (code === undefined || text === undefined) {
    return new A2AError('INVALID_RESPONSE', 'The response is packed in a way that cannot be read');
  }
  if (code === DEADLINE_EXCEEDED) return new A2AError('TIMEOUT', `The call did not end in time: ${quoted(text)}`);
  const [, http] = NOT_GRPC.exec(text) ?? [];
  if (http !== undefined) {
    const httpStatus = Number(http);
    const problem = `The server responded with ${http} over HTTP/2: that is not gRPC`;
    return new A2AError(transportCodeOf(httpStatus) ?? 'INVALID_RESPONSE', problem, { httpStatus });
  }
  const [, size] = TOO_LARGE.exec(text) ?? [];
  if (size !== undefined) {
    return Number(size) === requestBytes
      ? new A2AError('PAYLOAD_TOO_LARGE', `The server does not take a message of ${size} bytes`)
      : new A2AError('INVALID_RESPONSE', `The response has ${size} bytes, more than are allowed`);
  }
  if (UNREADABLE.test(text)) return new A2AError('INVALID_RESPONSE', `The response cannot be read: ${quoted(text)}`);
  const { host } = new URL(url);
  const isNeverSent = code === UNAVAILABLE && NEVER_CONNECTED.test(text);
  if (!isNeverSent && code !== UNAVAILABLE && !CUT.test(text)) return undefined;
  const cause = Object.assign(
    new Error(text, { cause: certificateError(text) }),
    isNeverSent && { code: socketCodeOf(text) },
  );
  return new A2AError('UNREACHABLE', `No connection to ${host}: ${shortened(text)}`, { cause });
}

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** The code of the connection that failed, by which clients know that nothing was sent. */
function socketCodeOf(text: string): string {
  return /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)\b/.exec(text)?.[0] ?? 'FailedToOpenSocket';
}

/** Texts of Node about certificates that are not trusted, with their codes: gRPC passes on the text alone. */
const CERTIFICATE_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/self-signed certificate in certificate chain/, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/self-signed certificate/, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/unable to verify the first certificate|unable to get local issuer certificate/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [/certificate has expired/, 'CERT_HAS_EXPIRED'],
];

function certificateError(text: string): Error | undefined {
  const [, code] = CERTIFICATE_ERRORS.find(([said]) => said.test(text)) ?? [];
  return code === undefined ? undefined : Object.assign(new Error(text), { code });
}

/** Connections that the other side closed, or on which it spoke something else; gRPC says little of them. */
const UNEXPLAINED: readonly (readonly [RegExp, string])[] = [
  [/^Failed to connect$/, 'it was closed as it was made; the port may expect TLS'],
  [/^Protocol error$/, 'the port does not speak gRPC'],
  [/:SSL routines:.*:(?:wrong version number|packet length too long):/, 'the port does not speak TLS'],
];

/** Without what only the authors of gRPC, and of Node, need. */
function shortened(text: string): string {
  const beginning = text.slice(0, 500);
  const [, reason = beginning] = /Last error: (.*?)(?:\. Resolution note:|$)/s.exec(beginning) ?? [];
  const said = reason.replace(/^Error: /, '').replace(/ \(\d{4}-[^)]*\)$|; if the root CA is installed locally.*$/, '');
  const [, explained] = UNEXPLAINED.find(([pattern]) => pattern.test(said)) ?? [];
  return quoted(explained ?? (said || beginning));
}
