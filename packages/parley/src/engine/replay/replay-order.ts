import type { ArtifactEnd } from '../log/open-artifacts.ts';

/** A finished step or a question of the run before. The numbers say how much that run had written by then. */
export interface RecordedStep {
  readonly step: string;
  /** When the run came to it. */
  readonly called?: number | undefined;
  /** When it was recorded. */
  readonly written?: number | undefined;
  /** The open artifacts when it was recorded, where the step itself wrote output: the run does not write it again. */
  readonly left?: Readonly<Record<string, ArtifactEnd>> | undefined;
}

interface ReplayOrderOptions {
  readonly steps: readonly RecordedStep[];
  readonly nextTurn: (callback: () => void) => void;
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  /** Called once, before the last step is given to the run: from then on what it writes is new. */
  readonly onOver: () => void;
  /** Called when a step that wrote output is passed over. */
  readonly onLeft?: ((left: Readonly<Record<string, ArtifactEnd>>) => void) | undefined;
}

/** Something new that waits for its turn. */
interface Held {
  /** The artifact that it goes to; undefined for a status. */
  readonly artifactId: string | undefined;
  readonly write: () => void;
}

/** The time for which an idle run may owe output that the earlier run had written by then. */
const OUTPUT_PATIENCE_MS = 100;
/** The idle time after which a run gets its steps in another order than the recorded one. */
const ORDER_PATIENCE_MS = 1_000;

/**
 * Leads a run to where the run before it was. What was recorded is given to it in the order of the records, one thing
 * in each turn of the loop, and not before it has written as much as the other had written by then: so branches that
 * run side by side take the same way again. What was not recorded waits until the end, because the other run had come
 * so far without it.
 *
 * A run that does something else, such as writing a text that is different each time, is not held up for long. Branches that
 * write what comes from elsewhere, such as the stream of another agent, may take turns in another way than before: then the
 * amounts do not tell which of their pieces the log has.
 */
export class ReplayOrder {
  readonly #options: ReplayOrderOptions;
  readonly #steps: RecordedStep[];
  readonly #callers = new Map<string, () => void>();
  #others: (() => void)[] = [];
  /** The amount of the run's output that is in the log already. */
  readonly #known: number;
  #written = 0;
  /** The part of it that this run has written itself. */
  #ownWritten = 0;
  #held: Held[] = [];
  #isDifferent = false;
  #isParallel: boolean;
  #hasPassedOver = false;
  #isReleasing = false;
  #isOver: boolean;
  #stopTimer: () => void = () => {};

  constructor(options: ReplayOrderOptions) {
    this.#options = options;
    this.#steps = [...options.steps];
    this.#known = options.steps.findLast(({ written }) => written !== undefined)?.written ?? 0;
    this.#isParallel = options.steps.some(wroteMeanwhile);
    this.#isOver = options.steps.length === 0;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The amount that the run and those before it have written. */
  get written(): number {
    return this.#written;
  }

  /** Branches of the run have written in another order than those of the run before, so that the log has some pieces of each. */
  get isMixed(): boolean {
    const isSame = this.#written === this.#known && !this.#isDifferent;
    return this.#isParallel && !this.#hasPassedOver && !isSame;
  }

  /** The log has the artifacts as the run has written them so far, and nothing waits. */
  settleMixed(): void {
    this.#held = this.#held.filter(({ artifactId }) => artifactId === undefined);
    this.#written = this.#ownWritten;
  }

  /** Returns true if the run has come to this step and only waits for its turn. */
  isWaiting(step: string): boolean {
    return this.#callers.has(step);
  }

  /** The run has come to a step: resolves when it may go on with it. */
  reach(step: string): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const recorded = this.#steps.find((candidate) => candidate.step === step);
    this.#isParallel ||= this.#callers.size > 0 || this.#others.length > 0;
    if (recorded) this.#align(recorded);
    const turn = new Promise<void>((resolve) => {
      if (recorded) this.#callers.set(step, resolve);
      else this.#others.push(resolve);
    });
    this.#proceed();
    return turn;
  }

  /** The run writes so much. Says how much of it, from its end, is not in the log yet. */
  wrote(amount: number): number {
    this.#written += amount;
    this.#ownWritten += amount;
    if (this.#isOver) return amount;
    this.#proceed();
    return Math.min(amount, Math.max(0, this.#written - this.#known));
  }

  /** Something new that the run has written ahead of its turn. */
  hold(write: () => void, artifactId: string | undefined): void {
    this.#held.push({ artifactId, write });
  }

  /** The output of the run differs from that of the run before. */
  differs(): void {
    this.#isDifferent = true;
  }

  /** The run is at its end: there is nothing left that could be waited for. */
  finish(): void {
    if (!this.#isOver) this.#end();
  }

  /** The run is not led any further. */
  abandon(): void {
    this.#isOver = true;
    this.#held = [];
    this.#letGo();
  }

  /**
   * A run that writes something else than the other, and does one thing after the other, has written before a step what
   * the other had written, however long that was.
   */
  #align(recorded: RecordedStep): void {
    const { called, written } = recorded;
    if (!this.#isDifferent) return;
    const isNext = this.#steps[0] === recorded;
    if (!isNext || this.#isParallel || called === undefined || called !== written || called === this.#written) return;
    this.#written = called;
    this.#held = [];
  }

  #proceed(): void {
    if (this.#isReleasing || this.#isOver) return;
    const [next] = this.#steps;
    if (next && this.#callers.has(next.step) && this.#written >= ((next.left ? next.called : next.written) ?? 0)) {
      this.#isReleasing = true;
      this.#options.nextTurn(() => this.#release());
      return;
    }
    this.#stopTimer();
    if (this.#callers.size === 0 && this.#others.length === 0) return;
    const patience = next && this.#callers.has(next.step) ? OUTPUT_PATIENCE_MS : ORDER_PATIENCE_MS;
    this.#stopTimer = this.#options.after(patience, () => this.#stuck());
  }

  #release(): void {
    this.#isReleasing = false;
    if (this.#isOver) return;
    const next = this.#steps.shift();
    const resolve = next && this.#callers.get(next.step);
    if (next) this.#callers.delete(next.step);
    if (next?.left) this.#passOver(next, next.left);
    if (this.#steps.length === 0) this.#end();
    resolve?.();
    this.#proceed();
  }

  #passOver({ written = 0 }: RecordedStep, left: Readonly<Record<string, ArtifactEnd>>): void {
    this.#hasPassedOver = true;
    this.#written = Math.max(this.#written, written);
    this.#options.onLeft?.(left);
  }

  #stuck(): void {
    const [next] = this.#steps;
    if (next && this.#callers.has(next.step)) {
      this.#written = Math.max(this.#written, next.written ?? 0);
      this.#isDifferent = true;
    } else {
      const called = this.#steps.findIndex(({ step }) => this.#callers.has(step));
      // Only what was not recorded is wanted: it may be that the rest is never asked for.
      if (called < 0) this.#end();
      else this.#steps.unshift(...this.#steps.splice(called, 1));
    }
    this.#proceed();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onOver();
    for (const { write } of this.#held.splice(0)) write();
    this.#letGo();
  }

  #letGo(): void {
    this.#stopTimer();
    for (const resolve of this.#callers.values()) resolve();
    this.#callers.clear();
    for (const resolve of this.#others.splice(0)) resolve();
  }
}

/** Tells whether something else was written while a step was under way. */
function wroteMeanwhile({ called, written, left }: RecordedStep): boolean {
  return !left && called !== undefined && written !== undefined && called !== written;
}
