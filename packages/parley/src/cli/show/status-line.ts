import type { Output } from '../surroundings.ts';
import { duration } from '../text/amounts.ts';
import { cleanLine } from '../text/clean.ts';
import { columnsOf, type Style } from '../text/style.ts';
import { tailOf, truncated, widthOf } from '../text/width.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MILLISECONDS = 100;
/** Activities that end sooner are not shown. */
const PATIENCE_MILLISECONDS = 200;
const ERASE_LINE = '\r\u001b[K';

/**
 * One line at the bottom of the terminal that says what goes on. Whoever writes to the same terminal wraps it in
 * `around`, so that the line is never mixed with an answer.
 */
export class StatusLine {
  readonly #output: Output;
  readonly #style: Style;
  readonly #now: () => number;
  #text = '';
  #alert: string | undefined;
  #preview: () => string = () => '';
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tickedAt = Number.NEGATIVE_INFINITY;
  #frame = 0;
  /** The number of columns drawn; 0 for none. */
  #drawn = 0;

  constructor(output: Output, style: Style, now: () => number = Date.now) {
    this.#output = output;
    this.#style = style;
    this.#now = now;
  }

  start(text: string): void {
    this.#text = cleanLine(text);
    if (this.#timer) return;
    this.#startedAt = this.#now();
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % FRAMES.length;
      this.#draw();
    }, REDRAW_MILLISECONDS);
    this.#timer.unref();
    this.#output.on('resize', this.#resized);
  }

  /** Draws the line now, for work that leaves no time to timers: at once, and then as often as it is redrawn. */
  tick(): void {
    if (!this.#timer || this.#now() - this.#tickedAt < REDRAW_MILLISECONDS) return;
    this.#tickedAt = this.#now();
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#draw(true);
  }

  set text(text: string) {
    this.#text = cleanLine(text);
  }

  /** The end of what is being written and cannot be shown yet. */
  set preview(preview: () => string) {
    this.#preview = preview;
  }

  /** Something that matters more than what is being written, such as a lost connection. */
  set alert(text: string | undefined) {
    this.#alert = text === undefined ? undefined : cleanLine(text);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#output.off('resize', this.#resized);
    this.#erase();
  }

  /** Writes while the line is out of the way. */
  around(write: () => void): void {
    this.#erase();
    write();
    if (this.#timer) this.#draw();
  }

  #draw(isWanted = false): void {
    const elapsed = this.#now() - (this.#startedAt ?? this.#now());
    if (elapsed < PATIENCE_MILLISECONDS && !isWanted) return;
    const time = ` · ${duration(elapsed)}`;
    const room = columnsOf(this.#output) - 3 - widthOf(time);
    const frame = FRAMES[this.#frame] ?? '';
    const preview = this.#alert === undefined ? cleanLine(this.#preview()) : '';
    const text = preview ? tailOf(preview, room) : truncated(this.#alert ?? this.#text, room);
    this.#erase();
    this.#output.write(`${this.#style.apply(frame, 'cyan')} ${this.#style.apply(text + time, 'dim')}`);
    this.#drawn = 2 + widthOf(text) + widthOf(time);
  }

  #erase(): void {
    if (this.#drawn === 0) return;
    this.#drawn = 0;
    this.#output.write(ERASE_LINE);
  }

  /** A terminal that gets narrower breaks the line into several. */
  readonly #resized = (): void => {
    if (this.#drawn === 0) return;
    const above = Math.ceil(this.#drawn / columnsOf(this.#output)) - 1;
    this.#output.write(`\r${above > 0 ? `\u001b[${above}A` : ''}\u001b[J`);
    this.#drawn = 0;
    this.#draw();
  };
}
