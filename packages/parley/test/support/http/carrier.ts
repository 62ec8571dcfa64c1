import type { A2AServer, A2AServerOptions } from 'parley-a2a';

/** A way in which the requests of `RpcPeer` reach a server, other than HTTP. */
export interface Carrier {
  readonly options: Partial<A2AServerOptions>;
  /** Takes and gives what JSON-RPC has, whatever is between. */
  readonly fetchOf: (server: A2AServer) => (request: Request) => Promise<Response>;
}

let current: Carrier | undefined;

/** The carrier of all servers that tests of this process start. */
export function carrier(): Carrier | undefined {
  return current;
}

/** For a setup file alone: one project of the test runner has one carrier. */
export function carryBy(way: Carrier): void {
  current = way;
}
