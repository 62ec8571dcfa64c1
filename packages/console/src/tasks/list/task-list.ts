import type { TaskPage } from '../../../../parley/src/server/operator/console-api.ts';
import { addPage, countNews, type Rows, renewFront, renewInPlace } from './merge-rows.ts';

export interface ListView extends Rows {
  /** Matches of the filter in all; undefined until the first page is there. */
  readonly total: number | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Tasks that belong before the first row and are not shown, since the person reads further down. */
  readonly news: number;
}

interface ListOptions {
  /** Reads the page after a place, or the first one. */
  readonly read: (after: string | undefined, signal: AbortSignal) => Promise<TaskPage>;
  /** Resolves when the front should be read again. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

/** Where a person is in a list. */
export interface ListPlace {
  /** Pixels above the first row that is seen. */
  top: number;
  /** The row that was opened last. */
  opened: number | undefined;
}

const EMPTY: ListView = { rows: [], next: undefined, total: undefined, isLoading: true, error: undefined, news: 0 };

/** A list of tasks that grows at its end as a person scrolls, and at its front as tasks come and change. */
export class TaskList {
  readonly place: ListPlace = { top: 0, opened: undefined };
  readonly #options: ListOptions;
  readonly #listeners = new Set<() => void>();
  #view = EMPTY;
  #running: AbortController | undefined;
  #isLoadingMore = false;
  #isAtTop = true;
  /** The row that stands first stood there when the front was last read. */
  #isOrdered = true;

  constructor(options: ListOptions) {
    this.#options = options;
  }

  readonly view = (): ListView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.refresh();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#running?.abort();
    };
  };

  /** Reads the front now, and from then on again and again. */
  readonly refresh = (): void => {
    this.#running?.abort();
    this.#running = new AbortController();
    void this.#follow(this.#running.signal);
  };

  /** While the person is at the top, the front is live; further down the rows keep their places. */
  readonly setAtTop = (isAtTop: boolean): void => {
    if (isAtTop === this.#isAtTop) return;
    this.#isAtTop = isAtTop;
    if (isAtTop && this.#view.news > 0) this.refresh();
  };

  readonly loadMore = async (): Promise<void> => {
    const { next, error } = this.#view;
    const signal = this.#running?.signal;
    if (next === undefined || error !== undefined || this.#isLoadingMore || signal === undefined) return;
    this.#isLoadingMore = true;
    try {
      const page = await this.#options.read(next, signal);
      // The list began anew meanwhile: the page belongs to the old one.
      if (this.#view.next === next) this.#set({ ...addPage(this.#view, page), total: page.total });
    } catch (failure) {
      if (!signal.aborted) this.#set({ error: failure });
    } finally {
      this.#isLoadingMore = false;
    }
  };

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const page = await this.#options.read(undefined, signal);
        if (signal.aborted) return;
        this.#takeFront(page);
      } catch (error) {
        if (signal.aborted) return;
        this.#set({ error, isLoading: false });
      }
      await this.#options.pause(signal).catch(() => undefined);
    }
  }

  #takeFront(page: TaskPage): void {
    const { total } = page;
    if (this.#isAtTop || this.#view.rows.length === 0) {
      const rows = this.#isOrdered ? renewFront(this.#view, page) : { rows: page.tasks, next: page.next };
      this.#isOrdered = true;
      this.#set({ ...rows, total, isLoading: false, error: undefined, news: 0 });
      return;
    }
    const news = Math.max(this.#view.news, countNews(this.#view, page));
    const rows = renewInPlace(this.#view, page);
    if (rows !== this.#view) this.#isOrdered = false;
    this.#set({ rows: rows.rows, total, isLoading: false, error: undefined, news });
  }

  #set(change: Partial<ListView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
