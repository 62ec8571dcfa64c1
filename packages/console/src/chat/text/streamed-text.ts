/** A piece of a text that is rendered by itself. `code` is a fenced block, in segments that do not change once they are full. */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly segments: readonly string[];
      readonly isClosed: boolean;
    };

/** Finished blocks that are rendered together and never again. */
export interface Section {
  readonly id: number;
  readonly blocks: readonly Block[];
}

/** The text as it is now: finished sections, the finished blocks after them, and the block that is still being written. */
export interface TextView {
  readonly sections: readonly Section[];
  readonly tail: readonly Block[];
  readonly open: Block | undefined;
}

/** A block of Markdown that is longer is cut, so that what is rendered anew with each frame stays small. */
export const LONGEST_BLOCK = 2_000;
/** Characters of code in one segment. */
const LONGEST_SEGMENT = 4_000;
/** Blocks in a section, and characters after which it is full. */
const MOST_BLOCKS = 24;
const LARGEST_SECTION = 6_000;

interface Fence {
  readonly mark: string;
  readonly length: number;
}

/**
 * A text that grows, in blocks. Each piece costs its own length, however long the text is by then: lines are looked at once, and
 * what is finished is never looked at again.
 */
export class StreamedText {
  #sections: readonly Section[] = [];
  #tail: Block[] = [];
  #tailSize = 0;
  /** The lines of the open block, each with its end. */
  #block = '';
  /** The last line, as far as it has come. */
  #line = '';
  /** The fence that is open; one that is indented belongs to the block around it. */
  #fence: (Fence & { readonly isOwnBlock: boolean }) | undefined;
  #language = '';
  #segments: string[] = [];

  append(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      this.#line += piece.slice(from, end + 1);
      this.#takeLine();
      from = end + 1;
    }
    if (from === piece.length) return;
    this.#line += from === 0 ? piece : piece.slice(from);
    this.#cutLongLine();
  }

  /** The end of the text: what is open is finished. */
  finish(): void {
    if (this.#line !== '') this.#takeLine();
    this.#closeBlock();
  }

  view(): TextView {
    return { sections: this.#sections, tail: this.#tail.slice(), open: this.#openBlock() };
  }

  #openBlock(): Block | undefined {
    if (this.#fence?.isOwnBlock) {
      const last = this.#block + this.#line;
      const segments = last === '' ? this.#segments.slice() : [...this.#segments, last];
      return { kind: 'code', language: this.#language, segments, isClosed: false };
    }
    const text = this.#block + this.#line;
    return text.trim() === '' ? undefined : { kind: 'markdown', text };
  }

  #takeLine(): void {
    this.#cutLongLine();
    const line = this.#line;
    this.#line = '';
    if (this.#fence !== undefined) this.#takeFencedLine(line, this.#fence);
    else this.#takeProseLine(line);
  }

  #takeProseLine(line: string): void {
    const fence = fenceOf(line);
    if (fence !== undefined) {
      const isOwnBlock = !/^\s/.test(line);
      if (isOwnBlock) {
        this.#closeBlock();
        this.#language = /^[\w#+.-]{1,30}/.exec(line.slice(fence.length).trim())?.[0] ?? '';
      } else {
        this.#block += line;
      }
      this.#fence = { ...fence, isOwnBlock };
      return;
    }
    this.#block += line;
    if (line.trim() === '' || this.#block.length > LONGEST_BLOCK) this.#closeBlock();
  }

  #takeFencedLine(line: string, fence: Fence & { readonly isOwnBlock: boolean }): void {
    const isEnd = closes(line, fence);
    if (!fence.isOwnBlock || !isEnd) this.#block += line;
    if (isEnd) {
      if (fence.isOwnBlock) this.#closeBlock();
      this.#fence = undefined;
    } else if (fence.isOwnBlock) {
      this.#cutSegment();
    } else if (this.#block.length > LONGEST_BLOCK) {
      this.#fence = undefined;
      this.#closeBlock();
    }
  }

  /** A line without an end in sight, as it is in texts that are no Markdown at all. */
  #cutLongLine(): void {
    const isCode = this.#fence?.isOwnBlock === true;
    const longest = isCode ? LONGEST_SEGMENT : LONGEST_BLOCK;
    while (this.#line.length > longest) {
      const space = isCode ? -1 : this.#line.lastIndexOf(' ', longest);
      const end = space > longest / 2 ? space + 1 : longest;
      this.#block += this.#line.slice(0, end);
      this.#line = this.#line.slice(end);
      if (isCode) this.#cutSegment();
      else this.#closeBlock();
    }
  }

  #cutSegment(): void {
    if (this.#block.length < LONGEST_SEGMENT) return;
    this.#segments.push(this.#block);
    this.#block = '';
  }

  #closeBlock(): void {
    if (this.#fence?.isOwnBlock) {
      if (this.#block !== '') this.#segments.push(this.#block);
      this.#push({ kind: 'code', language: this.#language, segments: this.#segments, isClosed: true });
      this.#segments = [];
      this.#fence = undefined;
    } else if (this.#block.trim() !== '') {
      this.#push({ kind: 'markdown', text: this.#block });
    }
    this.#block = '';
  }

  #push(block: Block): void {
    this.#tail.push(block);
    this.#tailSize += block.kind === 'markdown' ? block.text.length : block.segments.length * LONGEST_SEGMENT;
    if (this.#tail.length < MOST_BLOCKS && this.#tailSize < LARGEST_SECTION) return;
    this.#sections = [...this.#sections, { id: this.#sections.length, blocks: this.#tail }];
    this.#tail = [];
    this.#tailSize = 0;
  }
}

/** The fence that a line opens: three or more of ` or ~; the first may have no other of its kind behind it. */
function fenceOf(line: string): Fence | undefined {
  const marks = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line.trimEnd())?.[1];
  return marks === undefined ? undefined : { mark: marks.charAt(0), length: marks.length };
}

function closes(line: string, { mark, length }: Fence): boolean {
  const text = line.trim();
  return text.length >= length && text === mark.repeat(text.length);
}
