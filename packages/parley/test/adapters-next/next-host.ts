import type { A2AServer } from 'parley-a2a';
import type { Host, Hosting, HostOptions } from '../adapters/support/host.ts';
import { eventually } from '../support/eventually.ts';
import type { ContractApp } from './contract-app.ts';
import type { StartedApp } from './next-app.ts';

/**
 * Next as one of the hosts. A start takes seconds, so tests with the same options share a process, one after the other;
 * `stopAll` ends them.
 */
export class NextHost implements Host {
  readonly name = 'Next';
  /** The route takes every path. */
  readonly isApp = false;
  readonly mounts = true;
  readonly parsing = ['lost'] as const;
  readonly ownMethods = ['PUT'];
  readonly ownVary = [
    'rsc',
    'next-url',
    'next-router-state-tree',
    'next-router-prefetch',
    'next-router-segment-prefetch',
  ];
  /** Next 14 puts words of its own in the place of those that are none. */
  readonly ownForwarding = process.env.PARLEY_NEXT14 !== undefined;
  readonly #app: () => ContractApp;
  readonly #started: Map<string, Promise<StartedApp>> = new Map();

  constructor(app: () => ContractApp) {
    this.#app = app;
  }

  async start(options: HostOptions): Promise<Hosting> {
    const key = JSON.stringify(options);
    const starting = this.#started.get(key) ?? this.#app().start(options);
    this.#started.set(key, starting);
    const { url } = await starting;
    const load = async () => (await (await fetch(`${url}/load`)).json()) as A2AServer['load'];
    // Whoever was here before has left.
    await eventually(async () => (await load()).subscriptions).toBe(0);
    return { url, load, stop: async () => {} };
  }

  async stopAll(): Promise<void> {
    await Promise.allSettled([...this.#started.values()].map((starting) => starting.then((app) => app.stop())));
  }
}
