const MOST_KEPT = 1_000;

/** The imported keys, by their texts: reading a key costs as much as a signature. The oldest goes where there are too many. */
export class KeptKeys<Value> {
  readonly #kept = new Map<string, Promise<Value>>();

  get(text: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(text);
    if (known) return known;
    const made = make();
    this.#kept.set(text, made);
    made.catch(() => this.#kept.delete(text));
    if (this.#kept.size > MOST_KEPT) this.#forgetOldest();
    return made;
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
