import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../crash/load/random.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './schedule.ts';

/** Lets the faults of a schedule befall a cluster. Resolves when all nodes are back. */
export async function inflict(cluster: Cluster, faults: readonly Fault[], seed: number): Promise<void> {
  const begun = performance.now();
  const under: Promise<void>[] = [];
  const random = new Random(seed, 1);
  for (const fault of faults) {
    await delay(Math.max(0, begun + fault.at - performance.now()));
    under.push(befall(cluster, fault, random));
  }
  await Promise.all(under);
}

async function befall(cluster: Cluster, { kind, node, lasts }: Fault, random: Random): Promise<void> {
  switch (kind) {
    case 'kill':
      return cluster.replace(node, lasts);
    case 'pause': {
      const paused = cluster.nodes[node];
      paused?.signal('SIGSTOP');
      await delay(lasts);
      paused?.signal('SIGCONT');
      return;
    }
    case 'isolate':
      cluster.databaseOf(node).block();
      await delay(lasts);
      cluster.databaseOf(node).unblock();
      return;
    case 'cut-node':
      cluster.databaseOf(node).cut();
      return;
    case 'cut-clients': {
      const share = random.unit();
      cluster.balancer.relay.cut(() => random.chance(share));
      return;
    }
    case 'restart-database':
      await cluster.restartDatabase(lasts % 2 === 0 ? 'fast' : 'immediate');
      return;
    default:
      kind satisfies never;
  }
}
