import type { Logger } from '../../engine/ports.ts';
import { reconnectDelay } from './retry-delays.ts';

/** A connection that is open; `ended` resolves when it no longer is, with the reason if there is one. */
export interface KeptConnection {
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

interface ConnectionKeeperOptions<Connection extends KeptConnection> {
  /** For logs: "NATS at nats://…". */
  readonly name: string;
  readonly log: Logger;
  readonly connect: () => Promise<Connection>;
  /** Called before others are told of the connection; if it fails, so has the connection. */
  readonly prepare: (connection: Connection) => Promise<void>;
  readonly connected: () => void;
  readonly disconnected: () => void;
  /** Tells a mistake in the settings, which time does not mend. */
  readonly isPermanent: (error: unknown) => boolean;
}

/** Keeps one connection: makes it, and makes it again whenever it is lost. */
export class ConnectionKeeper<Connection extends KeptConnection> {
  readonly #options: ConnectionKeeperOptions<Connection>;
  #connection: Connection | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: ConnectionKeeperOptions<Connection>) {
    this.#options = options;
  }

  /** The connection, while it stands. */
  get current(): Connection | undefined {
    return this.#connection;
  }

  /** Resolves after the first attempt, whatever becomes of it. Rejects only for what time does not mend. */
  async open(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (this.#options.isPermanent(error)) throw error;
      this.#failed(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  async #connect(): Promise<void> {
    const { name, log, connect, prepare, connected } = this.#options;
    const connection = await connect();
    try {
      await prepare(connection);
    } catch (error) {
      await connection.close().catch(() => {});
      throw error;
    }
    if (this.#isClosed) {
      await connection.close();
      return;
    }
    this.#connection = connection;
    if (this.#failures > 0) log.warn(`${name} is connected again`, { failures: this.#failures });
    this.#failures = 0;
    void connection.ended.then((error) => this.#ended(connection, error));
    connected();
  }

  #ended(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#options.disconnected();
    this.#failed(error);
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    const { name, log } = this.#options;
    // One line for each outage; the next one says that it is over.
    if (this.#failures === 0) {
      log.warn(`${name} is not connected; trying again, and until then the store is polled`, error ? { error } : {});
    }
    const delay = reconnectDelay(this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#connect().catch((reason: unknown) => this.#failed(reason)), delay);
    this.#timer.unref();
  }
}
