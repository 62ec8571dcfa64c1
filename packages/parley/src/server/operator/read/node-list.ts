import type { Clock, Store } from '../../../engine/ports.ts';
import { roleOf } from '../../../engine/queue/node-role.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import type { NodeList } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';

interface NodeListOptions {
  readonly store: Pick<Store, 'queue' | 'exclusive' | 'time'>;
  readonly clock: Clock;
  /** The name of this node. */
  readonly node: () => string;
}

/** Lists the nodes that are alive, and what waits for any of them. */
export function nodeList({ store, clock, node }: NodeListOptions): OperatorResource {
  return {
    method: 'GET',
    async respond(): Promise<NodeList> {
      const own = node();
      const { queue, exclusive } = store;
      if (!queue || exclusive) return { nodes: [{ name: own, role: roleOf(own), isThis: true }] };
      const now = (await store.time?.()) ?? clock.now();
      const names = new Set([own, ...(await queue.liveNodes(now))]);
      const { turns, oldest } = await queue.queueState();
      return {
        nodes: [...names].sort().map((name) => ({ name, role: roleOf(name), isThis: name === own })),
        queue: { turns, oldestAt: oldest === undefined ? undefined : isoTime(oldest) },
      };
    },
  };
}
