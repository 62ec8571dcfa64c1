import { currentAccess } from './access.ts';
import { noteReachable } from './connection-state.ts';

export type Fetch = typeof globalThis.fetch;

/** A request to this page's own server, with the credential of the person. All traffic of the console passes here. */
export const ownFetch: Fetch = async (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  const access = currentAccess();
  if (access !== undefined && !headers.has(access.header)) headers.set(access.header, access.value);
  try {
    const response = await globalThis.fetch(input, { ...init, headers });
    noteReachable(true);
    return response;
  } catch (error) {
    // A request that the page itself gave up says nothing of the server.
    if (init?.signal?.aborted !== true) noteReachable(false);
    throw error;
  }
};
