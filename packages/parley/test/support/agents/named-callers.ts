import { A2AServer, type A2AServerOptions, type Agent } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { handleFetch } from '../../../src/adapters/web/web-exchange.ts';
import type { Caller } from '../../../src/model/call.ts';
import { CORE } from '../../../src/server/core/hosted.ts';
import { RpcPeer } from '../rpc.ts';

export interface NamedCallers {
  readonly server: A2AServer;
  /** A peer whose requests come from this subject, with these scopes, as if it had proved it. */
  readonly peerOf: (subject: string, caller?: Partial<Caller>) => RpcPeer;
}

/** A server whose callers are told apart without any credentials. */
export function serveNamed(agent: Agent, options: Omit<A2AServerOptions, 'agents'> = {}): NamedCallers {
  const server = new A2AServer({ ...options, agents: [agent] });
  onTestFinished(() => server.close());
  return {
    server,
    peerOf: (subject, more = {}) => {
      const caller: Caller = { subject, tenant: '', scopes: [], claims: {}, ...more };
      return new RpcPeer((request) => handleFetch(server[CORE] as never, request, { caller }));
    },
  };
}
