import { onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import type { Bus, Store } from '../../src/engine/ports.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { engineOn, Puppeteer, sendCall, userMessage } from '../engine/support/puppet.ts';

/** An engine among those that share a store, and the runs that it was given. */
export interface Node {
  readonly engine: Engine;
  readonly puppets: Puppeteer;
}

export interface Cluster {
  readonly store: Store;
  readonly bus: Bus;
  /** Opens another node; its runs end with the test. */
  readonly add: (options?: Partial<EngineOptions>) => Promise<Node>;
  /** All runs that have begun, in their order, by the text of their message. */
  readonly begun: readonly string[];
}

/** Nodes in one process that share a store in memory and a bus. */
export function cluster(store: Store = memory({ shared: true }), bus: Bus = localBus()): Cluster {
  const begun: string[] = [];
  const add: Cluster['add'] = async (options = {}) => {
    const puppets = new Watched(begun);
    const engine = engineOn(store, puppets, { bus, drainTimeout: 0, ...options });
    await engine.open();
    onTestFinished(() => engine.close());
    return { engine, puppets };
  };
  return { store, bus, begun, add };
}

class Watched extends Puppeteer {
  readonly #begun: string[];

  constructor(begun: string[]) {
    super();
    this.#begun = begun;
  }

  override run(handle: Parameters<Puppeteer['run']>[0]): ReturnType<Puppeteer['run']> {
    const [part] = handle.message.parts;
    this.#begun.push(part?.kind === 'text' ? part.text : '');
    return super.run(handle);
  }
}

/** Sends a message and resolves with its task, as it is right after that. */
export async function start(engine: Engine, text: string, more: Parameters<typeof sendCall>[1] = {}): Promise<Task> {
  const { contextId, ...input } = more as { contextId?: string };
  const task = await engine.send(sendCall(userMessage(text, contextId ? { contextId } : {}), input));
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}
