/** The least time between two paintings of what came: more often than that nobody reads. */
const LEAST_MS = 60;
/** A page that is hidden has no frames; it is kept up to date slowly. */
const HIDDEN_MS = 1_000;

/** Tells those who listen that something changed, at most once for each frame. */
export class Frames {
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isPending = false;
  #last = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another number whenever something changed. */
  readonly version = (): number => this.#version;

  /** Something changed; it is shown with one of the next frames. */
  touch(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    if (document.visibilityState === 'hidden') setTimeout(this.#flush, HIDDEN_MS);
    else requestAnimationFrame(this.#onFrame);
  }

  readonly #onFrame = (now: number): void => {
    if (now - this.#last < LEAST_MS && document.visibilityState !== 'hidden') requestAnimationFrame(this.#onFrame);
    else this.#flush();
  };

  readonly #flush = (): void => {
    this.#isPending = false;
    this.#last = performance.now();
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  };
}
