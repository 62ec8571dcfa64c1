import type { Awaitable, Bus, BusReply, Logger, Notice, NoticeListener } from '../../engine/ports.ts';
import type { Carrier, CarrierSource } from './carrier.ts';
import { Commands } from './commands.ts';
import { NoticeBuffer } from './notice-buffer.ts';
import { OpenRequests } from './open-requests.ts';
import { Watches } from './watches.ts';

/** However many nodes say that notices may be lost, watches look into the store at most once in this time. */
const BETWEEN_LOOKS = 100;

interface MemberOptions {
  readonly node: string;
  readonly handle: Parameters<Bus['join']>[1];
  readonly log: Logger;
  readonly carrierOf: CarrierSource;
}

/** One node on a bus. */
export class BusMember {
  readonly node: string;
  readonly #carrier: Carrier;
  readonly #watches = new Watches();
  readonly #notices = new NoticeBuffer();
  readonly #requests = new OpenRequests();
  readonly #commands: Commands;
  #isConnected = false;
  /** It has tried before, whatever became of it. */
  #hasConnected = false;
  /** The connection was lost, and other nodes do not know yet that notices went with it. */
  #hasLost = false;
  /** Notices are being sent, or will be in the next turn of the loop. */
  #isSending = false;
  #lookTimer: ReturnType<typeof setTimeout> | undefined;
  #hasLeft = false;

  constructor({ node, handle, log, carrierOf }: MemberOptions) {
    this.node = node;
    this.#commands = new Commands(handle, (place, id, text) => this.#respond(place, id, text));
    this.#carrier = carrierOf({
      node,
      log,
      connected: () => this.#connected(),
      disconnected: () => this.#disconnected(),
      noticed: (taskId, seq) => this.#watches.tell(taskId, seq),
      lost: () => this.#lookSoon(),
      commanded: (place, id, text) => this.#commands.take(place, id, text),
      responded: (id, text) => this.#requests.respond(id, text),
      absent: (id) => this.#requests.absent(id),
    });
  }

  async join(): Promise<void> {
    await this.#carrier.open();
    // If no connection was made, the first one comes after an outage.
    this.#hasConnected = true;
  }

  /** Tells of its own last commits first: no other node does. */
  async leave(): Promise<void> {
    await this.#send();
    this.#hasLeft = true;
    clearTimeout(this.#lookTimer);
    this.#commands.leave();
    this.#requests.end(new Error('This node has left the bus'));
    await this.#carrier.close();
  }

  publish(notices: readonly Notice[]): void {
    if (this.#hasLeft) return;
    this.#notices.add(notices);
    this.#sendSoon();
  }

  watch(taskId: string, listener: NoticeListener): Awaitable<() => void> {
    // Each watch is a listener of its own, also where a caller hands in the same function twice.
    const own: NoticeListener = (seq) => listener(seq);
    const unwatch = () => {
      if (this.#watches.remove(taskId, own)) this.#carrier.unwatch(taskId);
    };
    this.#watches.add(taskId, own);
    const activation = this.#carrier.watch(taskId);
    return activation instanceof Promise ? activation.then(() => unwatch) : unwatch;
  }

  request(node: string, command: unknown, signal: AbortSignal): Promise<BusReply> {
    const text = JSON.stringify(command);
    return this.#requests.request({ signal, send: async (id) => this.#carrier.command(node, id, text) });
  }

  #connected(): void {
    if (this.#hasLeft) return;
    this.#isConnected = true;
    if (this.#hasConnected) this.#requests.resume();
    this.#hasConnected = true;
    this.#lookSoon();
    this.#sendSoon();
  }

  #disconnected(): void {
    this.#isConnected = false;
    this.#hasLost = true;
  }

  /** One look for all that is lost within a short time. */
  #lookSoon(): void {
    if (this.#lookTimer || this.#hasLeft) return;
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined;
      this.#watches.tellAll();
    }, BETWEEN_LOOKS);
    this.#lookTimer.unref();
  }

  /** Gathers the notices of a turn of the loop. */
  #sendSoon(): void {
    if (this.#isSending || !this.#isConnected) return;
    this.#isSending = true;
    setImmediate(() => void this.#send());
  }

  /** Notices that come meanwhile are sent together, after this. */
  async #send(): Promise<void> {
    try {
      while (this.#isConnected && !this.#hasLeft && (this.#hasLost || !this.#notices.isEmpty)) await this.#sendOnce();
    } catch {
      // The carrier tells of a connection that is lost, and of the next one.
      this.#hasLost = true;
    } finally {
      this.#isSending = false;
    }
  }

  async #sendOnce(): Promise<void> {
    if (this.#notices.takeOverflow()) this.#hasLost = true;
    if (this.#hasLost) {
      await this.#carrier.publishLoss();
      this.#hasLost = false;
    }
    if (this.#notices.isEmpty) return;
    const taken = this.#notices.take();
    try {
      await this.#carrier.publish(taken);
    } catch (error) {
      this.#notices.addAll(taken);
      throw error;
    }
  }

  #respond(place: string, id: string, text: string): void {
    const respond = async () => this.#carrier.respond(place, id, text);
    // A response that is lost is asked for again.
    respond().catch(() => {});
  }
}
