import type { Agent } from '../../../agent/agent.ts';
import { toRunner } from '../../../agent/run/execute.ts';
import { localBus } from '../../../bus/local.ts';
import { Engine } from '../../../engine/engine.ts';
import type { Retention } from '../../../engine/node/retention.ts';
import type { Bus, Clock, Logger, Store } from '../../../engine/ports.ts';
import type { SubAgents } from '../../calls/sub-agents.ts';
import { interceptedCommit } from '../../intercept/commit.ts';
import type { Interceptors } from '../../intercept/interceptors.ts';
import { runListener } from '../../intercept/run-events.ts';
import { interceptedRunner } from '../../intercept/runner.ts';
import { interceptedSteps } from '../../intercept/step.ts';
import { checkDrainTimeout, type ServerLimits } from '../../limits/limits.ts';
import { requireTrimming } from '../../limits/retention.ts';
import type { A2AServerOptions } from '../../options.ts';
import type { linkFetcher } from '../../outbound/link-fetcher.ts';
import { vaultOf } from '../../secrets/vault.ts';

interface EngineParts {
  readonly store: Store;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly subAgents: SubAgents;
  readonly fetchLink: ReturnType<typeof linkFetcher>;
  readonly interceptors: Interceptors;
  readonly limits: ServerLimits;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The engine of a server: its runs, steps and commits pass the interceptors. */
export function engineOf(options: A2AServerOptions, parts: EngineParts): Engine {
  const { store, agents, subAgents, fetchLink, interceptors, limits, retention, clock, log } = parts;
  requireTrimming(retention, store);
  const listener = runListener(interceptors, log);
  return new Engine({
    store,
    bus: busOf(options, store, log),
    runners: [...agents].map(([name, agent]) =>
      interceptedRunner(
        toRunner(name, agent, subAgents.of(name), {
          most: limits.bufferedOutputs,
          fetchLink,
          listener,
          performStep: interceptedSteps(name, interceptors),
        }),
        interceptors,
      ),
    ),
    log,
    limits,
    retention,
    drainTimeout: checkDrainTimeout(options.drainTimeout),
    role: options.role,
    statusMessage: options.statusMessageSource,
    clock,
    newId: options.newId,
    vault: vaultOf(options.secretKey, log),
    commit: interceptedCommit(store, interceptors, log),
  });
}

/** Without a bus, the servers of a shared store cannot reach each other: what is sent to a task of another one is refused. */
function busOf(options: A2AServerOptions, store: Store, log: Logger): Bus {
  const bus = options.bus ?? store.bus?.();
  if (!bus && !store.exclusive) {
    log.warn(
      'Several servers may share this store, and this one has no bus to reach the others: set the option bus',
      {},
    );
  }
  return bus ?? localBus();
}
