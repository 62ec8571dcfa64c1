import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { toBase64Url } from '../../model/basics/bytes.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { OperatorRequest, OperatorResource } from '../operator/operator-routes.ts';
import type { RelayedRequest, RelayedResponse } from '../operator/relay-api.ts';
import type { OutboundGuard } from '../outbound/guard.ts';
import type { OpenResponse } from '../outbound/node/open-response.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { HEADER_CHARACTERS, readGivenHeaders } from './given-headers.ts';
import { outsideRefusal } from './outside-refusal.ts';

/** Requests of the relay that may be open at once. */
const MOST_RELAYED = 32;
/** Milliseconds in which the outside agent must begin to respond. */
const HEAD_TIMEOUT = 60_000;
/** Milliseconds after which a response is cut, however alive it is; clients resume their streams. */
const WHOLE_TIMEOUT = 30 * 60_000;
/** The largest body of a response, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Headers for responses of outside agents: no browser takes one for a page of this origin. */
const SEALED = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
};

/** Calls outside agents for the page of an operator, behind the guard. */
export function relay(guard: OutboundGuard): OperatorResource {
  let open = 0;
  const enter = () => {
    if (open >= MOST_RELAYED) {
      throw new A2AError('OVERLOADED', `${MOST_RELAYED} requests to outside agents are open already; close one`);
    }
    open += 1;
    let isOver = false;
    return () => {
      if (!isOver) open -= 1;
      isOver = true;
    };
  };
  return {
    method: 'POST',
    async respond({ body, asked }) {
      const request = readRequest(body());
      const leave = enter();
      try {
        const response = await send(guard, request, asked);
        response.whenClosed(leave);
        return shown(response);
      } catch (error) {
        leave();
        throw outsideRefusal(error, request.url);
      }
    },
  };
}

interface OutsideRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

async function send(guard: OutboundGuard, request: OutsideRequest, { request: own }: OperatorRequest['asked']) {
  const leaving = new AbortController();
  const stopListening = own.onAbort?.(() => leaving.abort());
  const late = setTimeout(
    () => leaving.abort(new OutboundError('TIMEOUT', `did not respond within ${HEAD_TIMEOUT} ms`)),
    HEAD_TIMEOUT,
  );
  try {
    const { url, ...rest } = request;
    return await guard.open(url, { ...rest, signal: leaving.signal, timeout: WHOLE_TIMEOUT, maxBytes: MOST_BYTES });
  } catch (error) {
    throw leaving.signal.reason instanceof OutboundError ? leaving.signal.reason : error;
  } finally {
    clearTimeout(late);
    stopListening?.();
  }
}

function shown({ status, headers, sent, body }: OpenResponse): ExchangeResponse {
  const response: RelayedResponse = { status, headers: within(headers) };
  const request: RelayedRequest = { ...sent, headers: within(sent.headers) };
  return {
    status: 200,
    headers: { ...SEALED, 'x-relay-request': inHeader(request), 'x-relay-response': inHeader(response) },
    body,
  };
}

/** The first headers, as many as fit into one. */
function within(headers: RelayedResponse['headers']): RelayedResponse['headers'] {
  let size = 0;
  return headers.filter(([name, value]) => {
    size += name.length + value.length + 8;
    return size <= HEADER_CHARACTERS;
  });
}

function inHeader(value: RelayedRequest | RelayedResponse): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}

/** Throws INVALID_PARAMS with what is wrong. */
function readRequest({ url, method = 'GET', headers = {}, body }: JsonObject): OutsideRequest {
  if (typeof url !== 'string') throw invalid('url must be the address of an outside agent');
  const verb = METHODS.find((known) => known === method);
  if (verb === undefined) throw invalid(`method must be one of ${METHODS.join(', ')}`);
  if (body !== undefined && typeof body !== 'string') throw invalid('body must be a text');
  if (body !== undefined && (verb === 'GET' || verb === 'HEAD')) throw invalid(`${verb} takes no body`);
  return {
    url,
    method: verb,
    headers: readGivenHeaders(headers),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  };
}

function invalid(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
