import type { ClusterLogEntry } from './log-entry.ts';

/** The contents of a log. */
export interface ClusterCounts {
  readonly tasks: number;
  readonly clients: number;
  readonly acknowledged: number;
  readonly events: number;
  /** Connections beyond the first of each client. */
  readonly reconnects: number;
  readonly commits: number;
  /** The number of tasks in each state. */
  readonly states: Readonly<Record<string, number>>;
}

/** Counts the entries of a log. */
export class LogCounts {
  readonly #tasks = new Set<string>();
  readonly #clients = new Set<string>();
  readonly #states: Record<string, number> = {};
  #acknowledged = 0;
  #events = 0;
  #opened = 0;
  #commits = 0;
  readonly #streaming = new Set<string>();

  add(entry: ClusterLogEntry): void {
    if ('client' in entry) this.#clients.add(entry.client);
    if ('taskId' in entry && entry.kind !== 'commit') this.#tasks.add(entry.taskId);
    if (entry.kind === 'acknowledged') this.#acknowledged += 1;
    if (entry.kind === 'event') this.#events += 1;
    if (entry.kind === 'commit') this.#commits += 1;
    if (entry.kind === 'task') this.#states[entry.state] = (this.#states[entry.state] ?? 0) + 1;
    if (entry.kind !== 'opened') return;
    this.#opened += 1;
    this.#streaming.add(entry.client);
  }

  get result(): ClusterCounts {
    return {
      tasks: this.#tasks.size,
      clients: this.#clients.size,
      acknowledged: this.#acknowledged,
      events: this.#events,
      reconnects: this.#opened - this.#streaming.size,
      commits: this.#commits,
      states: this.#states,
    };
  }
}
