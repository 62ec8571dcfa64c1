import { OutboundError } from '../outbound-error.ts';

interface Failure extends Error {
  readonly code?: unknown;
  readonly isReused?: boolean;
}

/** True if a kept connection turned out to be closed before a response came. */
export function isStaleConnection(error: unknown): boolean {
  const { code, isReused } = error as Failure;
  return isReused === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Turns a failure between the request and its response into words for the client or operator who gave the URL. */
export function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code: given, name } = error as Failure;
  const code = typeof given === 'string' ? given : '';
  if (name === 'AbortError') return new OutboundError('ABORTED', 'was not waited for any longer', error);
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return new OutboundError('UNRESOLVED', `has a name without an address (${code})`, error);
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new OutboundError('TOO_LARGE', 'responds with too many headers', error);
  if (code.startsWith('HPE_')) return new OutboundError('UNREACHABLE', `does not respond in HTTP (${code})`, error);
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN' || code === 'ERR_UNESCAPED_CHARACTERS') {
    return new OutboundError('INVALID', 'cannot be sent a header with such characters', error);
  }
  return new OutboundError('UNREACHABLE', `cannot be reached (${code || 'the connection was lost'})`, error);
}
