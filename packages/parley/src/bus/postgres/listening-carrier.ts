import type { Carrier, CarrierEvents } from '../carried/carrier.ts';
import { ConnectionKeeper } from '../carried/connection-keeper.ts';
import { hearNotices, takeMessage } from './arrivals.ts';
import { DatabaseLink } from './database-link.ts';
import { MessageTable } from './message-table.ts';
import { type BusNames, busNames } from './names.ts';
import { asciiJson, type BusMessage, lossPayload, messagePayload, noticePayloads } from './payloads.ts';
import { isPermanent } from './permanent.ts';
import type { PostgresBusSettings } from './settings.ts';

const NOTIFY_ALL = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';
/** The node that it is for holds this lock while it listens; another that gets it finds the node gone. */
const NOTIFY_ONE = 'SELECT pg_try_advisory_xact_lock_shared($3::bigint) AS "isAbsent", pg_notify($1, $2)';
/** Milliseconds between two cleanings of the table. */
const CLEANING_INTERVAL = 60_000;

/**
 * One node's own connection to the database, by LISTEN and NOTIFY. Notices are sent outside of all commits: NOTIFY locks the
 * database for a moment when its transaction ends, and commits would wait for each other.
 */
export class ListeningCarrier implements Carrier {
  readonly #events: CarrierEvents;
  readonly #names: BusNames;
  readonly #table: MessageTable;
  readonly #keeper: ConnectionKeeper<DatabaseLink>;
  readonly #inbox: string;
  #cleaning: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor({ url, name, schema }: PostgresBusSettings, events: CarrierEvents) {
    this.#events = events;
    this.#names = busNames(schema);
    this.#table = new MessageTable(this.#names);
    this.#inbox = this.#names.inboxOf(events.node);
    const session = this.#names.sessionOf(events.node);
    const notified = (channel: string, payload: string) => this.#notified(channel, payload);
    this.#keeper = new ConnectionKeeper<DatabaseLink>({
      name: `The bus (LISTEN at ${name})`,
      log: events.log,
      connect: () => DatabaseLink.open({ url, session, isSession: true, notified }),
      prepare: (link) => this.#listen(link),
      connected: events.connected,
      disconnected: events.disconnected,
      isPermanent,
    });
  }

  async open(): Promise<void> {
    await this.#keeper.open();
    if (this.#isClosed) return;
    this.#cleaning = setInterval(() => void this.#clean().catch(() => {}), CLEANING_INTERVAL);
    this.#cleaning.unref();
  }

  async publish(notices: ReadonlyMap<string, number>): Promise<void> {
    const payloads = noticePayloads(this.#events.node, notices);
    await this.#link().run(NOTIFY_ALL, [this.#names.notices, payloads]);
  }

  async publishLoss(): Promise<void> {
    await this.#link().run(NOTIFY_ALL, [this.#names.notices, [lossPayload(this.#events.node)]]);
  }

  /** All notices come here, so there is nothing to be done. */
  watch(): void {}

  unwatch(): void {}

  command(node: string, id: string, text: string): Promise<boolean> {
    return this.#send(node, { kind: 'command', id, from: this.#events.node, text });
  }

  async respond(place: string, id: string, text: string): Promise<void> {
    await this.#send(place, { kind: 'response', id, from: this.#events.node, text });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#cleaning);
    await this.#keeper.close();
  }

  #link(): DatabaseLink {
    const link = this.#keeper.current;
    if (!link) throw new Error('The bus is not connected');
    return link;
  }

  /** Returns whether the node is there. */
  async #send(node: string, message: BusMessage): Promise<boolean> {
    const link = this.#link();
    const inbox = this.#names.inboxOf(node);
    const payload = messagePayload(message) ?? asciiJson({ row: await this.#table.put(link, inbox, message) });
    const cells = [inbox, payload, this.#names.lockOf(node)];
    const [row] = await link.run<{ readonly isAbsent: boolean }>(NOTIFY_ONE, cells);
    return row?.isAbsent === false;
  }

  async #listen(link: DatabaseLink): Promise<void> {
    const { notices, lockOf, sessionOf } = this.#names;
    const { node } = this.#events;
    await this.#table.make(link);
    // An earlier session of this node that the server still believes in would keep its lock.
    const stale =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()';
    await link.run(stale, [sessionOf(node)]);
    await link.run('SELECT pg_advisory_lock($1::bigint)', [lockOf(node)]);
    await link.run(`LISTEN "${notices}"; LISTEN "${this.#inbox}"`);
  }

  #notified(channel: string, payload: string): void {
    if (channel === this.#inbox) this.#take(payload);
    else hearNotices(this.#events, payload);
  }

  #take(payload: string): void {
    const row = takeMessage(this.#events, payload);
    // A message that cannot be fetched now is sent again.
    if (row !== undefined) this.#fetch(row).catch(() => {});
  }

  async #fetch(row: string): Promise<void> {
    const whole = await this.#table.take(this.#link(), this.#inbox, row);
    if (whole !== undefined) this.#take(whole);
  }

  async #clean(): Promise<void> {
    const link = this.#keeper.current;
    if (link) await this.#table.clean(link);
  }
}
