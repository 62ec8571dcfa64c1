import type { Msg, Subscription } from '@nats-io/transport-node';
import type { KeptConnection } from '../carried/connection-keeper.ts';
import { loadConnect, type NatsConnection } from './load-client.ts';
import { partsOf } from './parts.ts';
import type { NatsSettings } from './settings.ts';

/** Milliseconds. */
const CONNECT_TIMEOUT = 3_000;
/** A server that does not respond to two of them is lost. */
const PING_INTERVAL = 5_000;
/** Milliseconds that a server has to take what is left when the connection is closed. */
const CLOSE_PATIENCE = 1_000;

/** Connects once. What becomes of a lost connection is the keeper's business. */
export async function openLink({ connection }: NatsSettings, node: string): Promise<Link> {
  const connect = await loadConnect();
  const opened = await connect({
    timeout: CONNECT_TIMEOUT,
    pingInterval: PING_INTERVAL,
    maxPingOut: 2,
    name: `parley ${node}`,
    ...connection,
    reconnect: false,
    noEcho: true,
  });
  return new Link(opened);
}

/** A connection to NATS that stands. */
export class Link implements KeptConnection {
  readonly ended: Promise<unknown>;
  readonly #connection: NatsConnection;
  readonly #subscriptions = new Map<string, Subscription>();
  #flushing: Promise<void> | undefined;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
    this.ended = connection.closed();
  }

  publish(subject: string, text: string): void {
    this.#connection.publish(subject, text);
  }

  /** A text of any length; in parts where the server takes no more at once. */
  send(subject: string, text: string, reply?: string): void {
    const most = this.#connection.info?.max_payload ?? 1024 * 1024;
    for (const part of partsOf(text, most)) this.#connection.publish(subject, part, reply ? { reply } : {});
  }

  subscribe(subject: string, take: (message: Msg) => void): void {
    const callback = (error: Error | null, message: Msg) => {
      if (!error) take(message);
    };
    this.#subscriptions.set(subject, this.#connection.subscribe(subject, { callback }));
  }

  hasSubscribed(subject: string): boolean {
    return this.#subscriptions.has(subject);
  }

  unsubscribe(subject: string): void {
    const subscription = this.#subscriptions.get(subject);
    this.#subscriptions.delete(subject);
    if (!this.#connection.isClosed()) subscription?.unsubscribe();
  }

  flush(): Promise<void> {
    return this.#connection.flush();
  }

  /** Resolves when the server has all subscriptions of this turn of the loop; one question for all of them. Never rejects. */
  settled(): Promise<void> {
    this.#flushing ??= this.#flushNextTurn().catch(() => {});
    return this.#flushing;
  }

  async #flushNextTurn(): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve));
    this.#flushing = undefined;
    await this.flush();
  }

  async close(): Promise<void> {
    const patience = new Promise<void>((resolve) => void setTimeout(resolve, CLOSE_PATIENCE).unref());
    await Promise.race([this.flush().catch(() => {}), patience]);
    await this.#connection.close();
  }
}
