import type { Lease } from '../ports.ts';

const NO_LEASE: Lease = { number: 0, node: null };

/** The lease of a task as its writer on one node holds it, commit by commit. */
export class TaskLease {
  readonly #node: string;
  #held: Lease;
  #next: Lease;
  #isRetaken = false;

  constructor(node: string, held: Lease = NO_LEASE) {
    this.#node = node;
    this.#held = held;
    this.#next = held;
  }

  /** The number that the store must hold for the next commit. */
  get expected(): number {
    return this.#held.number;
  }

  /** Some node has it. */
  get isHeld(): boolean {
    return this.#held.node !== null;
  }

  /** This node has it. */
  get isHeldHere(): boolean {
    return this.#held.node === this.#node;
  }

  /** The lease after the commit that was taken. */
  get next(): Lease {
    return this.#next;
  }

  /** The next commit takes the next number although this node has the lease: others may be about to take it over. */
  retake(): void {
    this.#isRetaken = true;
  }

  /** A commit is taken; `holds`: this node goes on holding the lease after it. */
  take(holds: boolean): void {
    const isHeld = this.#held.node === this.#node && !this.#isRetaken;
    this.#isRetaken = false;
    this.#next = { number: isHeld ? this.#held.number : this.#held.number + 1, node: holds ? this.#node : null };
  }

  /** The commit that was taken is on disk. */
  settle(): void {
    this.#held = this.#next;
  }
}
