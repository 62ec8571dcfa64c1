import type { A2AError, A2AErrorCode } from '../../model/errors/errors.ts';

/** Codes of Node, Bun and Deno for connections that were never made, so that nothing was sent. */
const NEVER_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
];

/** Tells whether the request has certainly not been sent. If the runtime does not tell, it may have been. */
export function wasNeverSent(error: unknown): boolean {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 8; depth += 1) {
    if ('code' in cause && NEVER_CONNECTED.includes(cause.code)) return true;
    if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0) {
      return cause.errors.every(wasNeverSent);
    }
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return false;
}

/** The connection failed, or the server was not able to serve: the same again may succeed. */
const PASSING: readonly A2AErrorCode[] = ['UNREACHABLE', 'UNAVAILABLE', 'OVERLOADED'];

const PASSING_STATUS: readonly unknown[] = [408, 425, 429, 502, 503, 504];

export function mayPass(error: A2AError): boolean {
  return PASSING.includes(error.code) || PASSING_STATUS.includes(error.httpStatus);
}

/** The server said that it did not take the request on. */
export function wasNotAccepted(error: A2AError): boolean {
  return error.httpStatus === 429 || (error.httpStatus === 503 && error.retryAfter !== undefined);
}

/**
 * After these the same stream cannot be had again; anything else may be a proxy's or a server's bad moment. A subscription
 * that is not supported is no failure: the task is over, or has to be asked for.
 */
const FINAL: readonly A2AErrorCode[] = [
  'TASK_NOT_FOUND',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'INVALID_PARAMS',
  'INVALID_REQUEST',
  'VERSION_NOT_SUPPORTED',
  'EXTENSION_SUPPORT_REQUIRED',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'PAYLOAD_TOO_LARGE',
];

export function isFinal(error: A2AError): boolean {
  return FINAL.includes(error.code);
}

/**
 * Servers refuse to stream a task that they have, because nothing works on it: as not found (the Go SDK, Python's
 * 0.3) or as invalid (Python's 0.3 for what is over).
 */
export function mayBeIdle({ code }: A2AError): boolean {
  return code === 'TASK_NOT_FOUND' || code === 'INVALID_PARAMS';
}

/** A route that is not there is NOT_FOUND; the draft ends streams of tasks with INVALID_AGENT_RESPONSE (seed S2.5). */
const NOT_STREAMABLE: readonly A2AErrorCode[] = [
  'UNSUPPORTED_OPERATION',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_FOUND',
  'INVALID_AGENT_RESPONSE',
];

/** Tells whether the server cannot or will not stream this task, or has nothing more to stream: the task itself is read instead. */
export function isNotStreamable({ code }: A2AError): boolean {
  return NOT_STREAMABLE.includes(code);
}
