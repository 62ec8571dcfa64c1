/**
 * Splits the text of an event stream into frames. A character is looked at once: the work for a chunk depends on its own
 * length, however long the frame is that it belongs to.
 */
export class FrameSplitter {
  #pieces: string[] = [];
  #length = 0;
  /** The current line has no character yet. */
  #isLineEmpty = true;
  /** The last character was a carriage return: a line feed after it belongs to the same line end. */
  #endsWithReturn = false;

  /** Characters of the frame that is not complete yet. */
  get pending(): number {
    return this.#length;
  }

  /** Takes the next text, and calls `onFrame` for each frame that it completes. */
  push(text: string, onFrame: (frame: string) => void): void {
    let start = 0;
    for (let index = 0; index < text.length; ) {
      const end = nextLineEnd(text, index);
      if (end < 0) {
        this.#isLineEmpty = false;
        this.#endsWithReturn = false;
        break;
      }
      const isReturn = text[end] === '\r';
      const isSecondHalf = !isReturn && this.#endsWithReturn && end === index;
      this.#endsWithReturn = isReturn;
      if (end > index) this.#isLineEmpty = false;
      index = end + 1;
      if (isSecondHalf) continue;
      if (!this.#isLineEmpty) {
        this.#isLineEmpty = true;
        continue;
      }
      // The line feed of a pair that ends a frame goes with it.
      if (isReturn && text[index] === '\n') {
        index += 1;
        this.#endsWithReturn = false;
      }
      this.#keep(text.slice(start, index));
      start = index;
      onFrame(this.flush());
    }
    if (start < text.length) this.#keep(text.slice(start));
  }

  /** Takes out what is left of a frame that was cut off. */
  flush(): string {
    const frame = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return frame;
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

function nextLineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const end = feed < 0 ? text.length : feed;
  // Only as far as the line feed, so that no part of the text is looked through twice.
  for (let index = from; index < end; index += 1) if (text.charCodeAt(index) === 13) return index;
  return feed;
}
