const FIRST_CAPACITY = 8;

/** The times of one caller's requests within a window, oldest first, in a ring that grows with them. */
export class RequestLog {
  #times = new Float64Array(FIRST_CAPACITY);
  #head = 0;
  #size = 0;
  /** The latest ones that `countAfter` has not yet passed by. */
  #recent = 0;

  get size(): number {
    return this.#size;
  }

  /** The time of the request so many places before the next one: 1 is the latest. */
  before(places: number): number {
    return this.#times[(this.#head + this.#size - places) & (this.#times.length - 1)] as number;
  }

  /** Forgets the requests up to and including a time. */
  forgetUntil(time: number): void {
    const mask = this.#times.length - 1;
    while (this.#size > 0 && (this.#times[this.#head] as number) <= time) {
      this.#head = (this.#head + 1) & mask;
      this.#size -= 1;
    }
    if (this.#recent > this.#size) this.#recent = this.#size;
  }

  /** The number of requests after a time, which must not be earlier than the last time that was asked for. */
  countAfter(time: number): number {
    while (this.#recent > 0 && this.before(this.#recent) <= time) this.#recent -= 1;
    return this.#recent;
  }

  add(time: number): void {
    const { length } = this.#times;
    if (this.#size === length) {
      const larger = new Float64Array(length * 2);
      larger.set(this.#times.subarray(this.#head));
      larger.set(this.#times.subarray(0, this.#head), length - this.#head);
      this.#times = larger;
      this.#head = 0;
    }
    this.#times[(this.#head + this.#size) & (this.#times.length - 1)] = time;
    this.#size += 1;
    this.#recent += 1;
  }
}
