import type { ClaimedTurn, QueuedTurn, QueueFacet, QueueState, TaskHead, TurnClaim } from '../../engine/ports.ts';
import type { TaskRecord } from './task-record.ts';

interface Entry {
  readonly record: TaskRecord;
  readonly turn: QueuedTurn;
}

/** The turns that wait for any node, in the order in which they are claimed. */
export class MemoryTurnQueue implements QueueFacet {
  readonly #entries: Entry[] = [];
  readonly #byTask = new Map<string, Entry>();
  readonly #nodes: ReadonlyMap<string, number>;
  readonly #lease: (record: TaskRecord, head: TaskHead) => void;

  /** `nodes`: until when each is alive. `lease`: gives a task its head with the lease of a claim. */
  constructor(nodes: ReadonlyMap<string, number>, lease: (record: TaskRecord, head: TaskHead) => void) {
    this.#nodes = nodes;
    this.#lease = lease;
  }

  has(taskId: string): boolean {
    return this.#byTask.has(taskId);
  }

  /** Replaces the turn of its task; undefined removes it. */
  put(record: TaskRecord, turn: QueuedTurn | undefined): void {
    const held = this.#byTask.get(record.id);
    if (held) {
      this.#entries.splice(this.#placeOf(held), 1);
      this.#byTask.delete(record.id);
    }
    if (!turn) return;
    const entry: Entry = { record, turn };
    this.#entries.splice(this.#placeOf(entry), 0, entry);
    this.#byTask.set(record.id, entry);
  }

  claim({ node, agents, limit, now }: TurnClaim): readonly ClaimedTurn[] {
    const claimed: ClaimedTurn[] = [];
    const contexts = new Set<string>();
    for (const { record, turn } of this.#entries) {
      if (claimed.length >= limit) break;
      const { head } = record;
      if (!agents.includes(head.agent)) continue;
      const context = contextOf(head);
      if (contexts.has(context)) continue;
      contexts.add(context);
      if (this.#isHeld(head, now)) continue;
      const leased: TaskHead = { ...head, lease: { number: head.lease.number + 1, node } };
      this.#lease(record, leased);
      claimed.push({ head: leased, turn });
    }
    return claimed;
  }

  queuedTurn(taskId: string): QueuedTurn | undefined {
    return this.#byTask.get(taskId)?.turn;
  }

  overdueTurns(now: number, limit: number): readonly string[] {
    const overdue: string[] = [];
    for (const { record, turn } of this.#entries) {
      if (overdue.length >= limit) break;
      if (turn.deadline === undefined || turn.deadline > now) continue;
      if (!this.#isHeld(record.head, now)) overdue.push(record.id);
    }
    return overdue;
  }

  queueState(): QueueState {
    let oldest: number | undefined;
    for (const { turn } of this.#entries) oldest = Math.min(oldest ?? turn.arrival, turn.arrival);
    return { turns: this.#entries.length, oldest };
  }

  liveNodes(now: number): readonly string[] {
    return [...this.#nodes].filter(([, until]) => until > now).map(([node]) => node);
  }

  #isHeld({ lease }: TaskHead, now: number): boolean {
    return lease.node !== null && (this.#nodes.get(lease.node) ?? Number.NEGATIVE_INFINITY) > now;
  }

  /** The place of an entry, or where it belongs. */
  #placeOf(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#entries[middle];
      if (other && compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Negative if `left` is claimed before `right`. */
function compare(left: Entry, right: Entry): number {
  const byPriority = right.turn.priority - left.turn.priority;
  if (byPriority !== 0) return byPriority;
  const byArrival = left.turn.arrival - right.turn.arrival;
  if (byArrival !== 0) return byArrival;
  if (left.record.id === right.record.id) return 0;
  return left.record.id < right.record.id ? -1 : 1;
}

function contextOf({ agent, owner, contextId }: TaskHead): string {
  return JSON.stringify([owner.tenant, owner.subject, agent, contextId]);
}
