import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a connection may go: a port on 127.0.0.1. */
export type ChoosePort = () => number | undefined;

/** Passes TCP connections on, and cuts them or holds them back when it is told to. */
export class Relay {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #choose: ChoosePort;
  /** Connections that came while nothing passed. */
  readonly #held = new Set<Socket>();
  #isBlocked = false;

  constructor(choose: ChoosePort) {
    this.#choose = choose;
  }

  /** Resolves with the port that clients use. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets connections: all, or those that are chosen. */
  cut(isChosen: () => boolean = () => true): void {
    for (const pair of this.#pairs) if (isChosen()) for (const socket of pair) socket.resetAndDestroy();
  }

  /** From now on nothing passes in either direction, and nobody is told; until `unblock`. */
  block(): void {
    this.#isBlocked = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.unpipe().pause();
  }

  /** What stood still is reset: a network that comes back does not bring old connections with it. */
  unblock(): void {
    this.#isBlocked = false;
    this.cut();
    for (const socket of this.#held) socket.resetAndDestroy();
    this.#held.clear();
  }

  async close(): Promise<void> {
    this.unblock();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    client.on('error', () => {});
    if (this.#isBlocked) {
      this.#held.add(client.pause());
      return;
    }
    const port = this.#choose();
    if (port === undefined) {
      client.resetAndDestroy();
      return;
    }
    const target = connect({ port, host: '127.0.0.1' });
    const pair = [client, target] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    target.on('error', () => client.resetAndDestroy());
    for (const socket of pair) socket.setNoDelay(true).once('close', end);
    client.pipe(target);
    target.pipe(client);
  }
}
