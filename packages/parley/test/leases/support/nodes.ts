import { onTestFinished } from 'vitest';
import { localBus } from '../../../src/bus/local.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineLimits } from '../../../src/engine/limits.ts';
import type { TaskEvent } from '../../../src/engine/log/events.ts';
import type { Bus, Store } from '../../../src/engine/ports.ts';
import type { Subscription } from '../../../src/engine/read/subscription.ts';
import type { Runner } from '../../../src/engine/turn/runner.ts';
import { isTask, type Task } from '../../../src/model/task.ts';
import { memory } from '../../../src/stores/memory.ts';
import { sendCall, userMessage } from '../../engine/support/puppet.ts';
import { type TroubledStore, troubledStore } from '../../support/stores/troubled-store.ts';
import { stoppableBus } from './stoppable-bus.ts';
import { type NodeClock, World } from './world.ts';

export interface Node {
  readonly engine: Engine;
  readonly clock: NodeClock;
  /** The node's way to the store. */
  readonly line: TroubledStore;
  readonly warnings: string[];
}

export interface NodesOptions {
  readonly runner: Runner;
  readonly limits?: Partial<EngineLimits> | undefined;
  readonly store?: ((world: World) => Store) | undefined;
  readonly bus?: Bus | undefined;
}

/** Nodes of one process on one store, each with its own way to the store and a process that can be stopped. */
export class Nodes {
  readonly world = new World();
  readonly store: Store;
  readonly #options: NodesOptions;
  readonly #bus: Bus;

  constructor(options: NodesOptions) {
    this.#options = options;
    this.#bus = options.bus ?? localBus();
    this.store = options.store?.(this.world) ?? memory({ shared: true, now: () => this.world.time });
  }

  async open(drainTimeout = 0): Promise<Node> {
    const { runner, limits } = this.#options;
    const line = troubledStore(this.store);
    const clock = this.world.clock();
    const warnings: string[] = [];
    const note = (message: string) => void warnings.push(message);
    const log = { warn: note, error: note };
    const engine = new Engine({
      store: line.store,
      bus: stoppableBus(this.#bus, clock),
      runners: [runner],
      clock,
      log,
      limits,
      drainTimeout,
    });
    await engine.open();
    onTestFinished(async () => {
      line.end();
      clock.goOn();
      const closing = engine.close();
      let isClosed = false;
      void closing.finally(() => {
        isClosed = true;
      });
      while (!isClosed) await this.world.pass(1000);
    });
    return { engine, clock, line, warnings };
  }
}

export async function start(engine: Engine, text = 'go'): Promise<Task> {
  const task = await engine.send(sendCall(userMessage(text)));
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}

/** Reads a subscription to its end in the background. */
export function collect(subscription: Subscription): { readonly events: TaskEvent[]; readonly done: Promise<void> } {
  const events: TaskEvent[] = [];
  const read = async () => {
    for await (const { events: batch } of subscription) events.push(...batch.records.map(({ event }) => event));
  };
  const done = read();
  done.catch(() => {});
  return { events, done };
}

export const chunk = (text: string) => ({ artifactId: 'a', parts: [{ kind: 'text', text } as const], streamed: true });

export const ALL = { events: 100_000, bytes: 1e9 };
