import type { RelayedRequest, RelayedResponse, RelayRequest } from '../../../parley/src/server/operator/relay-api.ts';
import { operatorUrl, refusalOf } from './operator.ts';
import { type Fetch, lineFetch } from './transport.ts';

/** Statuses whose responses have no body; `Response` refuses one for them. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** A request to an outside agent through this server, whose origin is the only one that the page may reach. */
export const relayFetch: Fetch = async (input, init) => {
  const asked = new Request(input, init);
  const body = asked.method === 'GET' || asked.method === 'HEAD' ? undefined : await asked.text();
  const request: RelayRequest = {
    url: asked.url,
    method: asked.method,
    headers: Object.fromEntries(asked.headers),
    ...(body !== undefined && { body }),
  };
  const response = await lineFetch(operatorUrl('relay'), {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { 'content-type': 'application/json' },
    ...(init?.signal && { signal: init.signal }),
  });
  const relayed = readHeader<RelayedResponse>(response.headers.get('x-relay-response'));
  if (relayed === undefined) throw await refusalOf(response);
  const answered = new Response(WITHOUT_BODY.has(relayed.status) ? null : response.body, {
    status: relayed.status,
    headers: relayed.headers.map(([name, value]): [string, string] => [name, value]),
  });
  const sent = readHeader<RelayedRequest>(response.headers.get('x-relay-request'));
  if (sent !== undefined) sentRequests.set(answered, sent);
  return answered;
};

const sentRequests = new WeakMap<Response, RelayedRequest>();

/** The request as the outside agent got it, by the relay's response; undefined for responses that came another way. */
export function relayedAs(response: Response): RelayedRequest | undefined {
  return sentRequests.get(response);
}

/** JSON in base64url, as the relay puts it into headers. */
export function readHeader<T>(value: string | null): T | undefined {
  if (value === null) return undefined;
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))) as T;
}
