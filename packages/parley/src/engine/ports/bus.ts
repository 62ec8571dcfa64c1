import type { Awaitable } from './awaitable.ts';
import type { Logger } from './logger.ts';

/** A task has committed up to this seq. */
export interface Notice {
  readonly taskId: string;
  readonly seq: number;
}

/** Called with the seq of a notice; with undefined where notices may have been lost, so that the store must be read. */
export type NoticeListener = (seq: number | undefined) => void;

/** `gone`: the node is not on the bus, or left before it responded. Whether it carried out the command is unknown. */
export type BusReply = { readonly kind: 'answered'; readonly value: unknown } | { readonly kind: 'gone' };

/**
 * Carries notices of commits and commands between nodes that share a store. The store holds the truth: a notice only
 * saves a reader the time until it looks for itself. `busContract` of `parley-a2a/testing` checks what each method promises.
 */
export interface Bus {
  /**
   * Adds a node; `handle` carries out the commands of other nodes. Commands and responses are plain JSON. `log` is told of
   * connections that are lost and found again. A bus without a connection yet may resolve and go on trying.
   */
  join(node: string, handle: (command: unknown) => Promise<unknown>, log?: Logger): Awaitable<void>;
  /** Removes a node with its watches. A request that it has not responded to is `gone`. */
  leave(node: string): Awaitable<void>;
  /**
   * Tells the watches of all other nodes. Notices may arrive late, twice, in another order or not at all, but a bus that
   * works delivers them. Returns at once and never throws.
   */
  publish(node: string, notices: readonly Notice[]): void;
  /**
   * Watches one task until the returned function is called. Once the watch is returned, or resolved, it is active: it
   * hears of everything that is published from then on.
   */
  watch(node: string, taskId: string, listener: NoticeListener): Awaitable<() => void>;
  /**
   * Sends a command to a node and resolves with its response. Rejects where the bus itself fails or the handler does,
   * and with the reason of the signal once that is aborted.
   */
  request(node: string, command: unknown, signal: AbortSignal): Promise<BusReply>;
}
