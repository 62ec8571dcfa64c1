import type { Notice } from '../../engine/ports.ts';

/** Tasks whose notices are kept while they cannot be sent. Beyond it, other nodes are told to look into the store. */
const MOST_TASKS = 10_000;

/** Notices that wait to be sent: the last seq of each task, however many there were. */
export class NoticeBuffer {
  #seqs = new Map<string, number>();
  #isOverfull = false;

  get isEmpty(): boolean {
    return this.#seqs.size === 0;
  }

  /** Some were left out since this was last asked. */
  takeOverflow(): boolean {
    const wasOverfull = this.#isOverfull;
    this.#isOverfull = false;
    return wasOverfull;
  }

  add(notices: readonly Notice[]): void {
    for (const { taskId, seq } of notices) this.#put(taskId, seq);
  }

  /** Puts back what could not be sent. */
  addAll(seqs: ReadonlyMap<string, number>): void {
    for (const [taskId, seq] of seqs) this.#put(taskId, seq);
  }

  take(): ReadonlyMap<string, number> {
    const taken = this.#seqs;
    this.#seqs = new Map();
    return taken;
  }

  #put(taskId: string, seq: number): void {
    const known = this.#seqs.get(taskId);
    if (known === undefined && this.#seqs.size >= MOST_TASKS) this.#isOverfull = true;
    else if (known === undefined || seq > known) this.#seqs.set(taskId, seq);
  }
}
