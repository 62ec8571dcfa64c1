import { PRIORITIES, type Priority } from '../../model/operations.ts';

/** A run's right to work. */
export interface RunSlot {
  /** The turn holds a slot, or no longer needs one. */
  readonly isGranted: boolean;
  /** The run waits for its caller: another one may work meanwhile. */
  pause(): void;
  /** The run goes on at once, even if that is one too many: a caller that has answered does not queue again. */
  resume(): void;
  /** The run has ended, or will not begin. */
  release(): void;
}

interface RunSlotRequest {
  readonly priority: Priority | undefined;
  /** Another run of this node waits for this one: it must not wait for that one to end. */
  readonly isNested: boolean;
  /** Called once when a run that had to wait may begin, never from within another call to the slots. */
  readonly begin: () => void;
}

const HIGHEST_FIRST = [...PRIORITIES].reverse();

/**
 * Bounds the runs that work at the same time on this node. The others wait, those of a higher priority first, and
 * within a priority in their order of arrival. There is no other fairness: while there is work of a higher priority, a
 * lower one waits, until its deadline if it has one.
 */
export class RunSlots {
  /** Called when a slot is free that no run of this node waits for, from within the call that has freed it. */
  onFree: (() => void) | undefined;
  readonly #most: number;
  #taken = 0;
  readonly #waiting: Readonly<Record<Priority, Set<Slot>>> = { low: new Set(), normal: new Set(), high: new Set() };

  /** `most`: Infinity for no bound. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of runs that could begin now; below 0 where more work than should. */
  get free(): number {
    return this.#most - this.#taken;
  }

  /** A run that asks for a slot now has to wait for it. */
  mustWait(isNested: boolean): boolean {
    return !isNested && this.#taken >= this.#most;
  }

  /** The number of runs that wait. */
  get waiting(): number {
    return HIGHEST_FIRST.reduce((sum, priority) => sum + this.#waiting[priority].size, 0);
  }

  /** A slot at once where there is a free one, else one to wait for. */
  take({ priority = 'normal', isNested, begin }: RunSlotRequest): RunSlot {
    if (this.#most === Number.POSITIVE_INFINITY) return FREE;
    const queue = this.#waiting[priority];
    const slot = new Slot({
      begin,
      taken: () => {
        this.#taken += 1;
      },
      freed: () => {
        this.#taken -= 1;
        this.#grant();
        if (this.#taken < this.#most) this.onFree?.();
      },
      left: (waiter) => void queue.delete(waiter),
    });
    if (this.mustWait(isNested)) queue.add(slot);
    else slot.grant(false);
    return slot;
  }

  #grant(): void {
    while (this.#taken < this.#most) {
      const next = this.#next();
      if (!next) return;
      next.grant(true);
    }
  }

  #next(): Slot | undefined {
    for (const priority of HIGHEST_FIRST) {
      for (const slot of this.#waiting[priority]) {
        this.#waiting[priority].delete(slot);
        return slot;
      }
    }
    return undefined;
  }
}

/** Without a limit nothing is counted. */
const FREE: RunSlot = { isGranted: true, pause() {}, resume() {}, release() {} };

interface SlotHost {
  begin(): void;
  taken(): void;
  freed(): void;
  left(slot: Slot): void;
}

class Slot implements RunSlot {
  readonly #host: SlotHost;
  #state: 'waiting' | 'working' | 'paused' | 'over' = 'waiting';

  constructor(host: SlotHost) {
    this.#host = host;
  }

  get isGranted(): boolean {
    return this.#state !== 'waiting';
  }

  /** `begins`: the run has waited and is told. Not from within the call of the run that has just ended. */
  grant(begins: boolean): void {
    this.#state = 'working';
    this.#host.taken();
    if (begins) {
      queueMicrotask(() => {
        if (this.#state === 'working') this.#host.begin();
      });
    }
  }

  pause(): void {
    if (this.#state !== 'working') return;
    this.#state = 'paused';
    this.#host.freed();
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'working';
    this.#host.taken();
  }

  release(): void {
    const before = this.#state;
    this.#state = 'over';
    if (before === 'waiting') this.#host.left(this);
    else if (before === 'working') this.#host.freed();
  }
}
