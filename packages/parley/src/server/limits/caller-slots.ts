/** Counts what callers have at work at this moment. Callers who have nothing are not held. */
export class CallerSlots {
  readonly #counts = new Map<string, number>();

  /** The number of callers that are held. */
  get size(): number {
    return this.#counts.size;
  }

  /** Returns false where the caller has as many as it may have. */
  take(key: string, most: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  release(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}
