import type { Clock, QueueState } from '../../../engine/ports.ts';
import type { NodeRole } from '../../../engine/queue/node-role.ts';
import type { MetricsRegistry, Reading } from './registry.ts';

/** Milliseconds for which what was read holds: however often metrics are asked for, the store is not asked more often. */
const HOLDS_FOR = 5000;

/** The nodes that share a store and the turns that wait for any of them, as one node sees them. */
export interface SharedQueue {
  /** The number of tasks whose lease this node holds to run them. */
  readonly leases: number;
  /** Called with the number of turns that this node has claimed, each time that it has. */
  onClaimed: ((count: number) => void) | undefined;
  /** Called with the time of an event of another node, when readers of this one have it. */
  onFollowed: ((time: number) => void) | undefined;
  state(): Promise<QueueState>;
  /** The number of nodes that are alive, by their role. */
  nodes(): Promise<ReadonlyMap<NodeRole, number>>;
}

interface Seen {
  readonly nodes: ReadonlyMap<NodeRole, number>;
  readonly state: QueueState;
}

/** Measures a queue that nodes share; without one, nothing has a value. A store that cannot be read now has no values; other metrics stay. */
export function readQueue(registry: MetricsRegistry, queue: SharedQueue | undefined, clock: Clock): void {
  let looking: Promise<Seen | undefined> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (shared: SharedQueue): Promise<Seen> => {
    return { nodes: await shared.nodes(), state: await shared.state() };
  };
  const seen = async (): Promise<Seen | undefined> => {
    if (!queue) return undefined;
    const now = clock.now();
    if (!looking || now - lookedAt >= HOLDS_FOR) {
      lookedAt = now;
      looking = look(queue).catch(() => undefined);
    }
    return looking;
  };
  const one = (value: number): readonly Reading[] => [{ labels: {}, value }];
  registry.read('leases', () => (queue ? one(queue.leases) : []));
  registry.read('nodes', async () =>
    [...((await seen())?.nodes ?? [])].map(([role, value]) => ({ labels: { role }, value })),
  );
  registry.read('queuedTurns', async () => {
    const { state } = (await seen()) ?? {};
    return state ? one(state.turns) : [];
  });
  registry.read('queuedTurnAge', async () => {
    const { state } = (await seen()) ?? {};
    if (!state) return [];
    return one(state.oldest === undefined ? 0 : Math.max(0, clock.now() - state.oldest) / 1000);
  });
  if (!queue) return;
  queue.onClaimed = (count) => registry.record('claims', {}, count);
  queue.onFollowed = (time) => registry.record('eventLag', {}, Math.max(0, clock.now() - time) / 1000);
}
