import { A2AServer, type A2AServerOptions, type Agent, memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { withStore } from '../../../src/stores/with-store.ts';
import { RpcPeer } from '../rpc.ts';

const FOREVER = new Promise<never>(() => {});

/** A process in this one: when it is killed, nothing that it still does reaches the store. */
export interface Life {
  readonly peer: RpcPeer;
  readonly server: A2AServer;
  readonly kill: () => void;
}

/** Processes that follow each other on one store. */
export function livesOn(inner: Store = memory()): (agents: readonly Agent[], more?: Partial<A2AServerOptions>) => Life {
  return (agents, more = {}) => {
    let isDead = false;
    const store = withStore(inner, { commit: async (entries) => (isDead ? FOREVER : inner.commit(entries)) });
    const log = { error: () => {}, warn: () => {} };
    const server = new A2AServer({ agents, log, drainTimeout: 0, ...more, store });
    const kill = () => {
      isDead = true;
    };
    return { peer: new RpcPeer(server.fetch, 'http://lives.test/a2a'), server, kill };
  };
}
