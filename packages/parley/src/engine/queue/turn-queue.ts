import type { EngineLimits } from '../limits.ts';
import type { Tenure } from '../node/tenure.ts';
import type { Bus, ClaimedTurn, Clock, Logger, QueueFacet, QueueState, Store } from '../ports.ts';
import type { Tasks } from '../task/tasks.ts';
import type { RunSlot, RunSlots } from '../turn/run-slots.ts';
import type { Runner } from '../turn/runner.ts';
import { beginClaimed, expireTurn } from './claimed-turns.ts';
import { Deadlines } from './deadlines.ts';
import { NodeLoads } from './node-loads.ts';
import { countRoles, type NodeRole, requireRole } from './node-role.ts';

/** The bus carries notices of this id when turns wait. Ids of tasks are made by servers, so none is like it. */
export const QUEUE_NOTICE = 'parley-queue';

/** The most turns that a node without a limit of runs claims at once, so that others get some as well. */
const MOST_AT_ONCE = 16;

/** Milliseconds for which a turn is left to nodes that have less to do. */
const LEFT_TO_OTHERS = 1000;

/** The most turns that are ended in one look because their deadline has come. */
const OVERDUE_AT_ONCE = 100;

/** The options of an engine that its queue depends on. */
interface QueueSettings {
  readonly store: Store;
  readonly bus: Bus;
  readonly log: Logger;
  readonly runners: readonly Runner[];
  readonly role?: NodeRole | undefined;
}

export interface TurnQueueOptions {
  readonly queue: QueueFacet;
  readonly tasks: () => Tasks;
  readonly slots: RunSlots;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: Pick<EngineLimits, 'pollInterval'>;
  /** The name of this node. */
  readonly node: () => string;
  readonly tenure: Pick<Tenure, 'isGood'>;
  readonly agents: readonly string[];
  /** This node runs nothing: all turns wait for others. */
  readonly isFront: boolean;
}

/** Undefined where no other node could begin what waits here. Throws a TypeError where that is of no use to the role. */
export function turnQueueOf(
  { store, bus, log, runners, role = 'all' }: QueueSettings,
  node: Pick<TurnQueueOptions, 'slots' | 'tasks' | 'node' | 'clock' | 'limits' | 'tenure'>,
): TurnQueue | undefined {
  requireRole(role, store);
  const { queue, exclusive } = store;
  if (exclusive || !queue) return undefined;
  const agents = runners.map(({ name }) => name);
  return new TurnQueue({ ...node, queue, bus, log, agents, isFront: role === 'front' });
}

/**
 * This node's part in the queue that it shares with others: turns for which it has no slot are left there, and while it has
 * free slots it claims what waits. Notices of the bus tell that something waits; where none comes, a look at the store does.
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #loads: NodeLoads;
  /** Claims nothing, or nothing any more. */
  #isClosed: boolean;
  #isStopped = false;
  /** The deadlines of turns that this node has left to any node: a task ends at its own. */
  readonly #deadlines: Deadlines;
  /** Something may wait: what comes now must wait behind it. */
  #mayWait = false;
  #isClaiming = false;
  /** Something has come to the queue since the claim that is under way was sent. */
  #isNoticed = false;
  #unwatch: (() => void) | undefined;
  #stopPolling: (() => void) | undefined;
  /** Turns that this node has claimed and could not begin: the store failed. */
  readonly #left = new Map<string, ClaimedTurn>();
  /** Called with the number of turns that this node has claimed, each time that it has. */
  onClaimed: ((count: number) => void) | undefined;
  /** Called with the time of an event of another node, when readers of this one have it. */
  onFollowed: ((time: number) => void) | undefined;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
    this.#isClosed = options.isFront;
    this.#deadlines = new Deadlines(options.clock, () => void this.#endOverdue());
    this.#loads = new NodeLoads({
      ...options,
      load: () => options.tasks().liveCount,
      onHeard: () => {
        if (this.#mayWait) this.#claim();
      },
    });
  }

  /** This node runs nothing. */
  get isFront(): boolean {
    return this.#options.isFront;
  }

  /** The number of tasks whose lease this node holds to run them. */
  get leases(): number {
    let count = 0;
    for (const { isRunning } of this.#options.tasks().live) if (isRunning) count += 1;
    return count;
  }

  async state(): Promise<QueueState> {
    return this.#options.queue.queueState();
  }

  /** The number of nodes that are alive, by their role. */
  async nodes(): Promise<ReadonlyMap<NodeRole, number>> {
    const { queue, clock } = this.#options;
    return countRoles(await queue.liveNodes(clock.now()));
  }

  /** Watches the bus, looks for what waits already, and goes on looking. */
  async start(): Promise<void> {
    const { slots, bus, node, log } = this.#options;
    slots.onFree = () => {
      if (this.#mayWait) this.#claim();
    };
    try {
      this.#unwatch = await bus.watch(node(), QUEUE_NOTICE, () => this.#noticed());
    } catch (error) {
      log.warn('The bus does not tell of turns that wait; the store is polled instead', { error });
    }
    if (!this.#options.isFront) await this.#loads.start();
    this.#look();
    this.#schedule();
  }

  /** Claims nothing from now on: turns that begin here go on, others wait for another node. */
  close(): void {
    this.#isClosed = true;
  }

  stop(): void {
    this.#isClosed = true;
    this.#isStopped = true;
    this.#stopPolling?.();
    this.#deadlines.stop();
    this.#unwatch?.();
    this.#loads.stop();
    this.#options.slots.onFree = undefined;
  }

  /** Tells whether a turn must wait for any node. A run of this node that waits for the turn keeps its slot meanwhile, so never then. */
  mustWait(nested: boolean | undefined): boolean {
    return !nested && (this.#isClosed || this.#mayWait || !this.#hasRoom);
  }

  /** Without a limit of runs a node leaves what comes to others while they have much less to do. */
  get #hasRoom(): boolean {
    const { free } = this.#options.slots;
    return free === Number.POSITIVE_INFINITY ? !this.#loads.isBusier : free >= 1;
  }

  /** A turn waits for any node once this is resolved. */
  add(committed: Promise<void>, deadline: number | undefined): void {
    committed.then(
      () => {
        const { bus, node, clock } = this.#options;
        bus.publish(node(), [{ taskId: QUEUE_NOTICE, seq: clock.now() }]);
        this.#noticed();
        if (deadline !== undefined) this.#deadlines.add(deadline);
      },
      // The client that sent the message gets the error.
      () => {},
    );
  }

  #noticed(): void {
    if (this.#isClosed) return;
    this.#mayWait = true;
    this.#isNoticed = true;
    this.#claim();
  }

  #schedule(): void {
    const { clock, limits } = this.#options;
    if (this.#isStopped) return;
    this.#stopPolling = clock.after(limits.pollInterval, () => {
      this.#look();
      this.#schedule();
    });
  }

  /** Looks at the store without holding slots, which what comes meanwhile would miss. */
  #look(): void {
    void this.#endOverdue();
    if (this.#isClosed) return;
    void this.#loads.look();
    if (this.#options.slots.free < 1) return;
    if (this.#left.size > 0 || (this.#mayWait && this.#hasRoom)) this.#claim();
    else void this.#peek();
  }

  async #peek(): Promise<void> {
    const { queue, clock, log } = this.#options;
    try {
      const { turns, oldest = clock.now() } = await queue.queueState();
      if (clock.now() - oldest > LEFT_TO_OTHERS) this.#loads.distrust();
      if (turns > 0) this.#noticed();
    } catch (error) {
      log.warn('The queue of turns could not be looked at', { error });
    }
  }

  #claim(): void {
    // Other nodes could claim at once what this node claims now.
    if (this.#isClaiming || this.#isClosed || !this.#options.tenure.isGood) return;
    this.#isClaiming = true;
    this.#claimAll()
      .catch((error: unknown) => this.#options.log.warn('Turns that wait could not be claimed', { error }))
      .finally(() => {
        this.#isClaiming = false;
      });
  }

  /** Claims for as long as there are free slots and turns that wait. */
  async #claimAll(): Promise<void> {
    const left = [...this.#left.values()];
    await Promise.all(left.map((turn) => this.#begin(turn, this.#takeSlot())));
    while (!this.#isClosed && this.#hasRoom) {
      this.#isNoticed = false;
      const turns = await this.#claimSome(Math.min(this.#options.slots.free, MOST_AT_ONCE));
      this.#loads.tell();
      if (turns > 0) this.#tellOthers();
      else if (!this.#isNoticed) {
        this.#mayWait = false;
        return;
      }
    }
  }

  /** Claims at most so many turns and begins them; resolves with their number. */
  async #claimSome(limit: number): Promise<number> {
    const { queue, clock, node, agents } = this.#options;
    // Held from now on, so that each turn that is claimed can begin at once.
    const slots = Array.from({ length: limit }, () => this.#takeSlot());
    try {
      const turns = await queue.claim({ node: node(), agents, limit, now: clock.now() });
      if (turns.length > 0) this.onClaimed?.(turns.length);
      await Promise.all(turns.map((turn) => this.#begin(turn, slots.pop() ?? this.#takeSlot())));
      return turns.length;
    } finally {
      for (const slot of slots) slot.release();
    }
  }

  #takeSlot(): RunSlot {
    return this.#options.slots.take({ priority: undefined, isNested: true, begin: () => {} });
  }

  /** The next turns of the contexts that were begun can be claimed from now on, and this node may have no slot for them. */
  #tellOthers(): void {
    const { bus, node, clock, slots } = this.#options;
    if (slots.free < 1) bus.publish(node(), [{ taskId: QUEUE_NOTICE, seq: clock.now() }]);
  }

  async #begin(claimed: ClaimedTurn, slot: RunSlot): Promise<void> {
    const { log, tasks } = this.#options;
    const taskId = claimed.head.id;
    try {
      const isBegun = await beginClaimed(tasks(), claimed, this.#isClosed ? undefined : slot);
      if (!isBegun) slot.release();
      this.#left.delete(taskId);
    } catch (error) {
      slot.release();
      this.#left.set(taskId, claimed);
      log.warn('A turn that was claimed could not begin; trying again', { taskId, error });
    }
  }

  /** Some at a time, as long as there are others than those that could not be ended. */
  async #endOverdue(): Promise<void> {
    const { queue, clock, log } = this.#options;
    const seen = new Set<string>();
    try {
      for (;;) {
        const overdue = await queue.overdueTurns(clock.now(), OVERDUE_AT_ONCE);
        const fresh = overdue.filter((taskId) => !seen.has(taskId));
        if (fresh.length === 0) return;
        for (const taskId of fresh) seen.add(taskId);
        await Promise.all(fresh.map((taskId) => this.#expire(taskId)));
      }
    } catch (error) {
      log.warn('Turns whose deadline has come could not be looked up', { error });
    }
  }

  /** One that cannot be ended now keeps no other from that. */
  async #expire(taskId: string): Promise<void> {
    const { log, tasks } = this.#options;
    try {
      await expireTurn(tasks(), taskId);
    } catch (error) {
      log.warn('A turn whose deadline has come could not be ended', { taskId, error });
    }
  }
}
