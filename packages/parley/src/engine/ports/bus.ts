import type { Awaitable } from './awaitable.ts';

/** A task has committed up to this seq. */
export interface Notice {
  readonly taskId: string;
  readonly seq: number;
}

/** How nodes hear of each other's commits and pass commands to the node that holds a task's lease. */
export interface Bus {
  /** Joins under a node name; `handle` answers commands that other nodes send to it. Values are plain JSON. */
  join(node: string, handle: (command: unknown) => Promise<unknown>): Awaitable<void>;
  leave(node: string): Awaitable<void>;
  publish(node: string, notices: readonly Notice[]): void;
  /** Notices of other nodes about one task, until the returned function is called. */
  watch(node: string, taskId: string, listener: (seq: number) => void): () => void;
  request(node: string, command: unknown): Promise<unknown>;
}
