import { localBus } from '../../src/bus/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ClaimedTurn, CommitEntry, QueuedTurn, QueueFacet, Store } from '../../src/engine/ports.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { mortalStore } from '../../src/testing/mortal-store.ts';
import { engineOn, type Puppet, Puppeteer } from '../engine/support/puppet.ts';
import { type NodeClock, settle, World } from '../leases/support/world.ts';

/** A moment at which a node dies: right after the store has done this for it, and before the node hears of it. */
export type Moment = 'claim' | 'commit' | 'now';

export interface MortalNode {
  readonly engine: Engine;
  readonly clock: NodeClock;
  readonly runs: readonly Puppet[];
  isDead: boolean;
  /** It is to die, or has. */
  isDoomed: boolean;
  dieAt(moment: Moment): void;
}

/** A run that began: on which node, and for which task. */
export interface Beginning {
  readonly node: MortalNode;
  readonly taskId: string;
  /** The message that the turn began with. */
  readonly messageId: string;
}

const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Nodes that share a store which takes turns of the loop for its writes, and that can die at any of them. */
export class MortalNodes {
  readonly world = new World();
  readonly store: Store = memory({ shared: true, now: () => this.world.time });
  readonly nodes: MortalNode[] = [];
  /** All runs that have begun, in their order. */
  readonly begun: Beginning[] = [];
  /** Turns that began although a living node had begun them before. */
  readonly repeated: string[] = [];
  /** The first turns that went to the queue, by task. */
  readonly queued = new Map<string, QueuedTurn>();
  /** Tasks whose turn has left the queue to begin, in their order: as the store has it, whether the run was called or not. */
  readonly started = new Set<string>();
  readonly #bus = localBus();
  readonly #isResumable: boolean;

  constructor(isResumable: boolean) {
    this.#isResumable = isResumable;
  }

  get alive(): readonly MortalNode[] {
    return this.nodes.filter(({ isDead }) => !isDead);
  }

  /** The nodes that are not to die. */
  get safe(): readonly MortalNode[] {
    return this.nodes.filter(({ isDoomed }) => !isDoomed);
  }

  async add(runs: number): Promise<MortalNode> {
    const clock = this.world.clock();
    const mortal = mortalStore(this.store, async () => {});
    const { store } = mortal;
    let deadly: Moment | undefined;
    const passed = (moment: Moment) => {
      if (deadly !== moment) return;
      deadly = undefined;
      node.dieAt('now');
    };
    const commit = async (entries: readonly CommitEntry[]) => {
      await turnOfLoop();
      const results = await store.commit(entries);
      entries.forEach((entry, index) => {
        if (entry.kind !== 'task' || results[index] !== 'ok') return;
        const { head, queue, expectedSeq } = entry;
        if (queue && expectedSeq === 0) this.queued.set(head.id, queue);
        if (queue === null && head.status.state === 'working') this.started.add(head.id);
      });
      passed('commit');
      await turnOfLoop();
      return node.isDead ? new Promise<never>(() => {}) : results;
    };
    const inner = store.queue as QueueFacet;
    const claim = async (asked: Parameters<QueueFacet['claim']>[0]): Promise<readonly ClaimedTurn[]> => {
      await turnOfLoop();
      const turns = await inner.claim(asked);
      if (turns.length > 0) passed('claim');
      await turnOfLoop();
      return node.isDead ? new Promise<never>(() => {}) : turns;
    };
    const puppets = new Watched((taskId, messageId) => this.#note({ node, taskId, messageId }), this.#isResumable);
    const engine = engineOn(withStore(store, { commit, queue: { ...inner, claim } }), puppets, {
      bus: this.#bus,
      clock,
      limits: { runs },
      drainTimeout: 0,
    });
    const node: MortalNode = {
      engine,
      clock,
      runs: puppets.runs,
      isDead: false,
      isDoomed: false,
      dieAt: (moment) => {
        node.isDoomed = true;
        if (moment !== 'now') {
          deadly = moment;
          return;
        }
        node.isDead = true;
        mortal.die();
        clock.stop();
        void this.#bus.leave(engine.node);
      },
    };
    this.nodes.push(node);
    await this.#during(engine.open());
    return node;
  }

  #note(beginning: Beginning): void {
    const before = this.begun.filter(({ messageId }) => messageId === beginning.messageId);
    if (before.some(({ node }) => !node.isDead)) this.repeated.push(beginning.taskId);
    this.begun.push(beginning);
  }

  /** Lets time pass until something is settled. */
  async #during(promise: Promise<unknown>): Promise<void> {
    let isSettled = false;
    void promise.finally(() => {
      isSettled = true;
    });
    while (!isSettled) await this.world.pass(10, 10);
    await promise;
  }

  async close(): Promise<void> {
    const closing = Promise.all(this.alive.map(({ engine }) => engine.close()));
    await this.#during(closing);
    await settle();
  }
}

class Watched extends Puppeteer {
  readonly resumable: boolean;
  readonly #onRun: (taskId: string, messageId: string) => void;

  constructor(onRun: (taskId: string, messageId: string) => void, resumable: boolean) {
    super();
    this.#onRun = onRun;
    this.resumable = resumable;
  }

  override run(handle: Parameters<Puppeteer['run']>[0]): ReturnType<Puppeteer['run']> {
    this.#onRun(handle.taskId, handle.message.messageId);
    return super.run(handle);
  }
}
