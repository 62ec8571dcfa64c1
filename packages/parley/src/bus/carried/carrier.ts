import type { Awaitable, Logger } from '../../engine/ports.ts';

/**
 * A node's link to the others: a connection to a NATS server, or to the database. The rest of a bus is the same for all
 * of them (`carriedBus`). While the connection is down, methods reject or do nothing; `CarrierEvents` tell of both.
 */
export interface Carrier {
  /** Connects; resolves also without a connection yet, as it goes on trying. Rejects for a mistake in the settings. */
  open(): Promise<void>;
  /** Tells other nodes of the last seq of tasks. Rejects where that could not be sent. */
  publish(notices: ReadonlyMap<string, number>): Awaitable<void>;
  /** Tells other nodes that notices of this one may be lost, so that their watches look into the store. */
  publishLoss(): Awaitable<void>;
  /** Makes notices of a task arrive here, active when it resolves; called for each watch. Never rejects. */
  watch(taskId: string): Awaitable<void>;
  /** Called when the last watch of a task has ended. */
  unwatch(taskId: string): void;
  /** Sends a command. Resolves with false where it is known that the node is not there now. */
  command(node: string, id: string, text: string): Awaitable<boolean>;
  /** Sends the response to a command, to the place that came with it. */
  respond(place: string, id: string, text: string): Awaitable<void>;
  close(): Promise<void>;
}

/** The callbacks of a carrier to its node. */
export interface CarrierEvents {
  readonly node: string;
  readonly log: Logger;
  /** The connection stands, for the first time or again. */
  readonly connected: () => void;
  readonly disconnected: () => void;
  readonly noticed: (taskId: string, seq: number) => void;
  /** Notices may have been lost. */
  readonly lost: () => void;
  readonly commanded: (place: string, id: string, text: string) => void;
  readonly responded: (id: string, text: string) => void;
  /** The node that a command was sent to is not there now. */
  readonly absent: (id: string) => void;
}

export type CarrierSource = (events: CarrierEvents) => Carrier;
