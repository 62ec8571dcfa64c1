import type { Carrier, CarrierEvents } from '../carried/carrier.ts';
import { ConnectionKeeper } from '../carried/connection-keeper.ts';
import { type Link, openLink } from './link.ts';
import { Assembler } from './parts.ts';
import type { NatsSettings } from './settings.ts';
import { lastWord } from './subjects.ts';

/** Names of the client's errors that time does not mend. */
const PERMANENT: ReadonlySet<string> = new Set(['AuthorizationError', 'InvalidArgumentError', 'MissingPackageError']);
const NO_RESPONDERS = 503;

/** One node's connection to NATS: a subject for each task that is watched, one for its commands, one for its responses. */
export class NatsCarrier implements Carrier {
  readonly #settings: NatsSettings;
  readonly #events: CarrierEvents;
  readonly #keeper: ConnectionKeeper<Link>;
  readonly #watched = new Set<string>();
  readonly #commands = new Assembler();
  readonly #responses = new Assembler();

  constructor(settings: NatsSettings, events: CarrierEvents) {
    this.#settings = settings;
    this.#events = events;
    const { log, connected, disconnected, node } = events;
    this.#keeper = new ConnectionKeeper<Link>({
      name: `The bus (${settings.shown})`,
      log,
      connect: () => openLink(settings, node),
      prepare: (link) => this.#subscribe(link),
      connected: () => {
        this.#watchRest();
        connected();
      },
      disconnected,
      isPermanent: (error) => error instanceof Error && PERMANENT.has(error.name),
    });
  }

  open(): Promise<void> {
    return this.#keeper.open();
  }

  publish(notices: ReadonlyMap<string, number>): void {
    const link = this.#link();
    for (const [taskId, seq] of notices) link.publish(this.#settings.subjects.task(taskId), String(seq));
  }

  publishLoss(): void {
    this.#link().publish(this.#settings.subjects.loss, '');
  }

  /** A watch that begins while the connection is down is told to look when that is back. */
  watch(taskId: string): Promise<void> | undefined {
    const link = this.#keeper.current;
    if (!this.#watched.has(taskId)) {
      this.#watched.add(taskId);
      if (link) this.#watchOn(link, taskId);
    }
    return link?.settled();
  }

  unwatch(taskId: string): void {
    this.#watched.delete(taskId);
    this.#keeper.current?.unsubscribe(this.#settings.subjects.task(taskId));
  }

  /** The server itself says, in place of a response, that no node is there. */
  command(node: string, id: string, text: string): boolean {
    const { subjects } = this.#settings;
    this.#link().send(subjects.commands(node), text, subjects.responses(this.#events.node, id));
    return true;
  }

  respond(place: string, _: string, text: string): void {
    this.#link().send(place, text);
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  #link(): Link {
    const link = this.#keeper.current;
    if (!link) throw new Error('The bus is not connected');
    return link;
  }

  async #subscribe(link: Link): Promise<void> {
    const { subjects } = this.#settings;
    const { node, lost, commanded, responded, absent } = this.#events;
    link.subscribe(subjects.loss, lost);
    link.subscribe(subjects.commands(node), ({ data, reply = '' }) => {
      const text = this.#commands.add(reply, data);
      if (text !== undefined) commanded(reply, lastWord(reply), text);
    });
    link.subscribe(subjects.responses(node, '*'), ({ subject, data, headers }) => {
      const id = lastWord(subject);
      if (headers?.code === NO_RESPONDERS) return absent(id);
      const text = this.#responses.add(id, data);
      if (text !== undefined) responded(id, text);
    });
    for (const taskId of this.#watched) this.#watchOn(link, taskId);
    await link.flush();
  }

  /** Subscribes to tasks whose watch began while the connection was being made. */
  #watchRest(): void {
    const link = this.#link();
    for (const taskId of this.#watched) {
      if (!link.hasSubscribed(this.#settings.subjects.task(taskId))) this.#watchOn(link, taskId);
    }
  }

  #watchOn(link: Link, taskId: string): void {
    link.subscribe(this.#settings.subjects.task(taskId), (message) => {
      const seq = Number(message.string());
      if (Number.isSafeInteger(seq)) this.#events.noticed(taskId, seq);
    });
  }
}
