import { traceHeaders } from '../../../../model/basics/trace-context.ts';
import { A2AError } from '../../../../model/errors/errors.ts';
import { tracedFetch } from '../../../http/current-trace.ts';

/** A call on its way: what the client's guard sees of it is a request with headers, and a response with a status. */
export interface Carried {
  /** Makes the call; again where the guard has found other credentials. */
  begin(headers: Headers): Promise<Response>;
}

const carry: typeof fetch = (input, init) => {
  const { search } = new URL(input instanceof Request ? input.url : input);
  if (search !== '') {
    throw new A2AError('UNAUTHENTICATED', 'gRPC has no place for the credentials that the card wants in the query');
  }
  const { body, headers } = init as unknown as { readonly body: Carried; readonly headers: Headers };
  return body.begin(new Headers(headers));
};

/** A `fetch` whose requests are calls over gRPC: their body is a `Carried`. */
export const grpcFetch: typeof fetch = tracedFetch(carry, (trace) => (trace ? traceHeaders(trace) : {}));

/** Makes a call behind the guard that a client has put before `grpcFetch`. */
export function sendCarried(
  guarded: typeof fetch,
  url: string,
  call: Carried,
  headers: Headers,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return guarded(url, { method: 'POST', headers, body: call as unknown as string, signal: signal ?? null });
}
