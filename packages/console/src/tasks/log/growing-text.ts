import { countUpTo } from './find-place.ts';

/**
 * A text that only grows, with the length that it had after each event. The text of any event is a slice of the whole, so that
 * to look at one costs a search by halving, whatever the number of events.
 */
export class GrowingText {
  #text = '';
  readonly #seqs: number[] = [];
  readonly #lengths: number[] = [];

  append(seq: number, piece: string): void {
    this.#text += piece;
    this.#seqs.push(seq);
    this.#lengths.push(this.#text.length);
  }

  lengthAt(seq: number): number {
    return this.#lengths[countUpTo(this.#seqs, seq) - 1] ?? 0;
  }

  /** The last characters that it had at an event. */
  tailAt(seq: number, most: number): string {
    const end = this.lengthAt(seq);
    return this.#text.slice(Math.max(0, end - most), end);
  }
}
