import type { Carrier, CarrierEvents } from '../carried/carrier.ts';
import { ConnectionKeeper } from '../carried/connection-keeper.ts';
import { hearNotices, takeMessage } from './arrivals.ts';
import { DatabaseLink } from './database-link.ts';
import { MessageTable } from './message-table.ts';
import { type BusNames, busNames } from './names.ts';
import { type BusMessage, lossPayload, noticePayloads } from './payloads.ts';
import { isPermanent } from './permanent.ts';
import type { PostgresBusSettings } from './settings.ts';

/** Milliseconds between two looks at the table. */
const POLL_INTERVAL = 100;
/** Looks between two signs that the node is there, each with a cleaning. */
const LOOKS_PER_SIGN = 50;

/**
 * One node's connection to the database through a pooler that hands out its own for one transaction each: nothing can be
 * listened to, so messages and notices are rows of a table that every node looks at.
 */
export class PollingCarrier implements Carrier {
  readonly #events: CarrierEvents;
  readonly #name: string;
  readonly #names: BusNames;
  readonly #table: MessageTable;
  readonly #keeper: ConnectionKeeper<DatabaseLink>;
  readonly #inbox: string;
  #lastNotice = '0';
  #looks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ url, name, schema }: PostgresBusSettings, events: CarrierEvents) {
    this.#events = events;
    this.#name = name;
    this.#names = busNames(schema);
    this.#table = new MessageTable(this.#names);
    this.#inbox = this.#names.inboxOf(events.node);
    this.#keeper = new ConnectionKeeper<DatabaseLink>({
      name: `The bus (at ${name})`,
      log: events.log,
      connect: () =>
        DatabaseLink.open({ url, session: this.#names.sessionOf(events.node), isSession: false, notified: () => {} }),
      prepare: (link) => this.#arrive(link),
      connected: events.connected,
      disconnected: events.disconnected,
      isPermanent,
    });
  }

  async open(): Promise<void> {
    const message = `The bus polls ${this.#name} every ${POLL_INTERVAL} ms, as pool=transaction allows no LISTEN`;
    this.#events.log.warn(message, { interval: POLL_INTERVAL });
    await this.#keeper.open();
    this.#lookLater();
  }

  async publish(notices: ReadonlyMap<string, number>): Promise<void> {
    await this.#table.putNotices(this.#link(), noticePayloads(this.#events.node, notices));
  }

  async publishLoss(): Promise<void> {
    await this.#table.putNotices(this.#link(), [lossPayload(this.#events.node)]);
  }

  /** All notices are read here, so there is nothing to be done. */
  watch(): void {}

  unwatch(): void {}

  async command(node: string, id: string, text: string): Promise<boolean> {
    const isThere = await this.#table.isThere(this.#link(), this.#names.inboxOf(node));
    if (isThere) await this.#send(node, { kind: 'command', id, from: this.#events.node, text });
    return isThere;
  }

  async respond(place: string, id: string, text: string): Promise<void> {
    await this.#send(place, { kind: 'response', id, from: this.#events.node, text });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const link = this.#keeper.current;
    if (link) await this.#table.leave(link, this.#inbox).catch(() => {});
    await this.#keeper.close();
  }

  #link(): DatabaseLink {
    const link = this.#keeper.current;
    if (!link) throw new Error('The bus is not connected');
    return link;
  }

  async #send(node: string, message: BusMessage): Promise<void> {
    await this.#table.put(this.#link(), this.#names.inboxOf(node), message);
  }

  async #arrive(link: DatabaseLink): Promise<void> {
    await this.#table.make(link);
    await this.#table.arrive(link, this.#inbox);
    this.#lastNotice = await this.#table.lastNotice(link);
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      // A look that fails ends with its connection, of which the keeper tells.
      this.#look()
        .catch(() => {})
        .finally(() => this.#lookLater());
    }, POLL_INTERVAL);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const link = this.#keeper.current;
    if (!link) return;
    for (const message of await this.#table.takeAll(link, this.#inbox)) takeMessage(this.#events, message);
    for (const { number, message } of await this.#table.notices(link, this.#lastNotice)) {
      this.#lastNotice = number;
      hearNotices(this.#events, message);
    }
    this.#looks += 1;
    if (this.#looks % LOOKS_PER_SIGN !== 0) return;
    await this.#table.arrive(link, this.#inbox);
    await this.#table.clean(link);
  }
}
