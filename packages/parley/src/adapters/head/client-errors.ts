import { type ServerOptions, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { oversizedHeaders, tooSlow, unreadableRequest } from '../../bindings/http/http-refusals.ts';
import type { A2AError } from '../../model/errors/errors.ts';
import { httpErrorOf } from '../../server/http/responses.ts';
import type { ServerLimits } from '../../server/limits/limits.ts';

/** Milliseconds after which Node looks again for requests that are late. */
const CHECK_INTERVAL = 1000;

/** Time beyond that for headers and body: a body that is late is refused by its binding first, in its own shape. */
const SPARE_TIME = 5000;

/** The bounds of requests that Node itself keeps. They end with the last byte of a request: a response may take for ever. */
export function requestBounds({ headersTimeout, bodyTimeout, headersBytes }: ServerLimits): ServerOptions {
  return {
    maxHeaderSize: Math.ceil(headersBytes),
    headersTimeout: timeOf(headersTimeout),
    requestTimeout: timeOf(headersTimeout + bodyTimeout + SPARE_TIME),
    connectionsCheckingInterval: CHECK_INTERVAL,
    // The refusal of Node has no body: `headerFault` looks for the header.
    requireHostHeader: false,
  };
}

/** Node has 0 for no limit. */
function timeOf(milliseconds: number): number {
  return milliseconds === Number.POSITIVE_INFINITY ? 0 : Math.ceil(milliseconds);
}

/** A connection of Node, with the response that is being written on it; Node's own handler looks at it, too. */
interface Connection extends Duplex {
  readonly _httpMessage?: { readonly headersSent: boolean } | null | undefined;
}

/** Responds to bytes that are no request, which reach no route and no binding, and closes the connection. */
export function refuseUnreadable(cause: Error, socket: Duplex): void {
  const code = 'code' in cause ? String(cause.code) : '';
  const isAnswering = (socket as Connection)._httpMessage?.headersSent === true;
  if (!socket.writable || isAnswering || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = httpErrorOf(refusalOf(code));
  const text = typeof body === 'string' ? body : '';
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${isHeadIn(cause) ? '' : text}`, () => socket.destroy());
}

/** The bytes that Node could not read begin as a HEAD, whose response has no body. */
function isHeadIn(cause: Error): boolean {
  return (
    'rawPacket' in cause && Buffer.isBuffer(cause.rawPacket) && cause.rawPacket.toString('latin1', 0, 5) === 'HEAD '
  );
}

function refusalOf(code: string): A2AError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return oversizedHeaders('The headers of the request are larger than this server allows');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return tooSlow('The request did not arrive in time');
    default:
      return unreadableRequest('The request is not valid HTTP/1.1');
  }
}
