import { once } from 'node:events';
import type { Surroundings } from '../surroundings.ts';
import { cleanStyled, safeJson } from '../text/clean.ts';
import { columnsOf, isShown, PLAIN, type Style, styleOf } from '../text/style.ts';
import { StatusLine } from './status-line.ts';

/** Writes the response to stdout and everything else to stderr; with `--json` only JSON to either. */
export class Screen {
  readonly json: boolean;
  /** The style of stdout; `isShown` tells that a person reads it. */
  readonly style: Style;
  readonly isShown: boolean;
  /** The style of stderr. */
  readonly noteStyle: Style;
  readonly #surroundings: Surroundings;
  readonly #status: StatusLine | undefined;

  constructor(surroundings: Surroundings, json = false) {
    const { stdout, stderr, env } = surroundings;
    this.#surroundings = surroundings;
    this.json = json;
    this.isShown = isShown(stdout, env);
    this.style = json ? PLAIN : styleOf(stdout, env);
    this.noteStyle = json ? PLAIN : styleOf(stderr, env);
    const hasStatus = stderr.isTTY === true && env.TERM !== 'dumb' && !json;
    this.#status = hasStatus ? new StatusLine(stderr, this.noteStyle) : undefined;
  }

  get columns(): number {
    return columnsOf(this.#surroundings.stdout);
  }

  /** True where stderr is shown to a person. */
  get isWatched(): boolean {
    return this.#surroundings.stderr.isTTY === true;
  }

  /** To stdout: as it is for a program, and without what a terminal would obey for a person. */
  write(text: string): void {
    if (text === '') return;
    this.#around(() => this.#surroundings.stdout.write(this.#shown(text)));
  }

  /** The same for what must not get lost: rejects if it cannot be written. */
  writeSurely(text: string): Promise<void> {
    const { stdout } = this.#surroundings;
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      this.#around(() => stdout.write(this.#shown(text), done));
    });
  }

  /** Waits for a reader that is slower than the agent. */
  async drained(): Promise<void> {
    const { stdout } = this.#surroundings;
    if (stdout.writableNeedDrain) await once(stdout, 'drain');
  }

  /** JSON in which a terminal, too, finds no control character. */
  object(value: unknown): void {
    this.write(`${safeJson(value)}\n`);
  }

  /** A line to stderr; not with `--json`. */
  note(text: string): void {
    if (!this.json) this.#around(() => this.#surroundings.stderr.write(`${cleanStyled(text)}\n`));
  }

  /** A line that only a person wants to see. */
  hint(text: string): void {
    if (this.isWatched) this.note(this.noteStyle.apply(text, 'dim'));
  }

  /** Shows what goes on until `idle`. */
  busy(text: string, preview: () => string = () => ''): void {
    if (!this.#status) return;
    this.#status.preview = preview;
    this.#status.start(text);
  }

  /** Says something else meanwhile. */
  set activity(text: string) {
    if (this.#status) this.#status.text = text;
  }

  /** Shows what goes on in work that does not wait for anything, so that no timer could; again and again until `idle`. */
  step(text: string): void {
    this.busy(text);
    this.#status?.tick();
  }

  /** Says what goes wrong meanwhile, until it goes right again. */
  set alert(text: string | undefined) {
    if (this.#status) this.#status.alert = text;
  }

  idle(): void {
    this.#status?.stop();
  }

  #shown(text: string): string {
    return this.isShown ? cleanStyled(text) : text;
  }

  #around(write: () => void): void {
    if (this.#status) this.#status.around(write);
    else write();
  }
}
