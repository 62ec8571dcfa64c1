/** An id that a header can carry back to the server. Any other is ignored, as the standard has it for U+0000. */
const POSITION = /^[!-~]{1,1024}$/;

/** One event of a stream. */
export interface SseFrame {
  /** The value of its `event:` line. */
  readonly event: string | undefined;
  /** The value of its own `id:` line. */
  readonly id: string | undefined;
  readonly data: string;
  /** False where the stream ended before the blank line: the data may be cut off. */
  readonly complete: boolean;
}

/**
 * Reads the lines of an event stream (WHATWG HTML, "Parsing an event stream"), however the text is cut. Lines end with LF,
 * CR or both; an event ends with an empty line and counts where it has data. An id is that of its own event only.
 */
export class LineParser {
  readonly #onEvent: (frame: SseFrame) => void;
  /** The pieces of the line that has not ended yet. */
  #pieces: string[] = [];
  /** The text ended in CR: an LF that comes next belongs to it. */
  #endedInReturn = false;
  #event: string | undefined;
  #id: string | undefined;
  #data: string | undefined;

  constructor(onEvent: (frame: SseFrame) => void) {
    this.#onEvent = onEvent;
  }

  feed(text: string): void {
    if (text === '') return;
    let start = 0;
    if (this.#endedInReturn && text.startsWith('\n')) start = 1;
    this.#endedInReturn = false;
    let newline = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (newline >= 0 || carriage >= 0) {
      const isCarriage = newline < 0 || (carriage >= 0 && carriage < newline);
      const end = isCarriage ? carriage : newline;
      this.#endLine(text, start, end);
      start = end + 1;
      if (isCarriage) {
        if (start === text.length) this.#endedInReturn = true;
        if (newline === start) start += 1;
        carriage = text.indexOf('\r', start);
      }
      if (newline >= 0 && newline < start) newline = text.indexOf('\n', start);
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
  }

  /** Reads the last text, and ends the event that it breaks off in. An id that may be cut off is left out. */
  end(text: string): void {
    this.feed(text);
    const line = this.#pieces.join('');
    if (line && !line.startsWith('id')) this.#readLine(line, 0, line.length);
    this.#endEvent(false);
  }

  #endLine(text: string, start: number, end: number): void {
    if (this.#pieces.length > 0) {
      const line = this.#pieces.join('') + text.slice(start, end);
      this.#pieces = [];
      this.#readLine(line, 0, line.length);
    } else {
      this.#readLine(text, start, end);
    }
  }

  #readLine(text: string, start: number, end: number): void {
    if (start === end) {
      this.#endEvent();
      return;
    }
    // Nearly all lines are data: they are cut out once.
    if (text.startsWith('data:', start)) {
      this.#addData(text.slice(text[start + 5] === ' ' ? start + 6 : start + 5, end));
      return;
    }
    const line = text.slice(start, end);
    // A line without a colon is a name.
    const colon = `${line}:`.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#addData(value);
    else if (name === 'event') this.#event = value || undefined;
    else if (name === 'id' && POSITION.test(value)) this.#id = value;
  }

  #addData(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #endEvent(complete = true): void {
    const data = this.#data;
    if (data !== undefined) this.#onEvent({ event: this.#event, id: this.#id, data, complete });
    this.#event = undefined;
    this.#id = undefined;
    this.#data = undefined;
  }
}
