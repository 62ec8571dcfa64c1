/** The name under which all further values are counted. */
const OTHERS = 'other';

/** A label whose values come from elsewhere: only the first ones are told apart, so that no series grow without end. */
export class BoundedLabel {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most = 50) {
    this.#most = most;
  }

  of(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#most) return OTHERS;
    this.#known.add(value);
    return value;
  }
}
