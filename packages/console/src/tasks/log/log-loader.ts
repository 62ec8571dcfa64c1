import type { LogPage } from '../../../../parley/src/server/operator/console-api.ts';
import { hasEnded } from '../states.ts';
import { TaskLog } from './task-log.ts';

/** Reads one page of a log: the events after a place. */
export type ReadPage = (after: number, signal: AbortSignal) => Promise<LogPage>;

/** The log of a task as far as it has been read. A new object for each page, so that a view knows of it. */
export interface LogView {
  readonly log: TaskLog;
  /** What every page says of the task. */
  readonly head: LogPage | undefined;
  /** Everything that the server has had been read when it was last asked. */
  readonly isComplete: boolean;
  readonly error: unknown;
}

interface LoaderOptions {
  readonly read: ReadPage;
  /** Resolves when the server should be asked again for a task that goes on. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** The server has said no, and will say so again: there is no use in asking. */
  readonly isFinal: (error: unknown) => boolean;
}

/** Reads a log page by page to its end, and goes on until the task has ended. */
export class LogLoader {
  readonly #options: LoaderOptions;
  readonly #listeners = new Set<() => void>();
  #view: LogView = { log: new TaskLog(), head: undefined, isComplete: false, error: undefined };
  #running: AbortController | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  readonly view = (): LogView => this.#view;

  /** The first listener starts it, the last one that leaves stops it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#running?.abort();
    };
  };

  /** Goes on where it is: also after an error, and after an action that may have changed a task. */
  readonly start = (): void => {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    void this.#run(running.signal);
  };

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const page = await this.#options.read(this.#view.log.lastSeq, signal);
        if (signal.aborted) return;
        this.#take(page);
        if (page.next !== undefined) continue;
        if (hasEnded(this.#view.log.state ?? '')) return;
      } catch (error) {
        if (signal.aborted) return;
        this.#set({ ...this.#view, error });
        if (this.#options.isFinal(error)) return;
      }
      await this.#options.pause(signal).catch(() => undefined);
    }
  }

  #take(page: LogPage): void {
    const { log, isComplete, head, error } = this.#view;
    const isNews = page.events.length > 0 || !isComplete || error !== undefined || head?.lastSeq !== page.lastSeq;
    log.append(page.events);
    if (isNews) this.#set({ log, head: page, isComplete: page.next === undefined, error: undefined });
  }

  #set(view: LogView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}
