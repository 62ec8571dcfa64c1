import type { JsonObject } from '../../model/basics/json.ts';
import type { Awaitable } from './awaitable.ts';
import type { TaskHead } from './task-head.ts';

/** A turn of a task that waits for a node with a free slot. A task has at most one, written by `commit`. */
export interface QueuedTurn {
  /** Turns of a higher priority are claimed first. */
  readonly priority: number;
  /** When the turn came, in milliseconds since the epoch. */
  readonly arrival: number;
  /** When the turn must be over, in milliseconds since the epoch. Undefined: it may wait for as long as it takes. */
  readonly deadline?: number | undefined;
  /** The facts that a node needs to begin the turn; stores do not look into it. */
  readonly body: JsonObject;
}

export interface TurnClaim {
  /** The node that claims. */
  readonly node: string;
  /** Only turns of these agents. */
  readonly agents: readonly string[];
  /** The most turns that are claimed. */
  readonly limit: number;
  /** The time by which a node is alive, as for `isAlive`. */
  readonly now: number;
}

export interface ClaimedTurn {
  /** The head with the lease that the claim took. */
  readonly head: TaskHead;
  readonly turn: QueuedTurn;
}

/** The queue as operators see it. */
export interface QueueState {
  /** The number of turns that wait, those included that a node has claimed and not begun. */
  readonly turns: number;
  /** The arrival of the one that has waited longest; undefined while none waits. */
  readonly oldest?: number | undefined;
}

/**
 * The turns that wait for any node of those that share the store. `queue` of a task's commit adds, replaces and removes its
 * turn; the task is leased to nobody while it waits.
 */
export interface QueueFacet {
  /**
   * Claims turns that no living node holds: highest priority first, then by arrival, then by task id. A turn is passed over while
   * another one of the same context, owner and agent comes before it in that order. Each task gets the next lease number, with the
   * node as its holder, in one step: of two nodes that claim at the same time, one gets the turn. The turn stays queued until a
   * commit removes it, so that another node can claim it if this one dies first.
   */
  claim(claim: TurnClaim): Awaitable<readonly ClaimedTurn[]>;
  /** The queued turn of a task. */
  queuedTurn(taskId: string): Awaitable<QueuedTurn | undefined>;
  /** The ids of tasks whose turn no living node holds and whose deadline has come, at most so many. */
  overdueTurns(now: number, limit: number): Awaitable<readonly string[]>;
  queueState(): Awaitable<QueueState>;
  /** The names of the nodes whose heartbeat has not run out. */
  liveNodes(now: number): Awaitable<readonly string[]>;
}
