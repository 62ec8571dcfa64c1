import { line, recorder } from '../wire/record/wire.ts';
import { currentAccess } from './access.ts';
import { noteReachable } from './connection-state.ts';
import { noteStatus } from './refusals.ts';

export type Fetch = typeof globalThis.fetch;

/** A `fetch` that adds the credential of the person to requests to this page's own server, and notes whether those get there. */
export function withAccess(inner: Fetch): Fetch {
  return async (input, init) => {
    if (!isOwnOrigin(input)) return inner(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const access = currentAccess();
    if (access !== undefined && !headers.has(access.header)) headers.set(access.header, access.value);
    try {
      const response = await inner(input, { ...init, headers });
      noteReachable(true);
      if (!isGateQuestion(input)) noteStatus(response.status);
      return response;
    } catch (error) {
      // A request that the page itself gave up, or cut, says nothing of the server.
      if (init?.signal?.aborted !== true && line.isConnected()) noteReachable(false);
      throw error;
    }
  };
}

/** Requests of the console itself to this page's own server. */
export const ownFetch: Fetch = withAccess((input, init) => recorder.fetch(input, init));

/** Requests to agents over the connection that a person may cut. They are not recorded here: those of their clients are. */
export const lineFetch: Fetch = withAccess((input, init) => line.fetch(input, init));

/** The request by which the gate itself learns whether the person is let in. */
function isGateQuestion(input: string | URL | Request): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return new URL(address, location.href).pathname.endsWith('/operator/server');
}

export function isOwnOrigin(input: string | URL | Request): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return new URL(address, location.href).origin === location.origin;
}
