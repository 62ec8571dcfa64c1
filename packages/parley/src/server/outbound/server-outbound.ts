import type { A2AServerOptions } from '../options.ts';
import { Locality } from '../push/locality.ts';
import { OutboundGuard } from './guard.ts';

/**
 * The one guard of a server, for webhooks and for files alike, by its setting `push`. A server that only this machine
 * reaches may call this machine.
 */
export class ServerOutbound {
  readonly guard: OutboundGuard;
  /** For the relay of the console: where callers prove who they are, this machine is not for them. */
  readonly relayGuard: OutboundGuard;
  readonly #locality: Locality;
  readonly #hasAuth: boolean;

  constructor(options: A2AServerOptions) {
    const locality = new Locality(options);
    const { allow, schemes, ports, resolve, ca } = typeof options.push === 'object' ? options.push : {};
    const allowLoopback = () => locality.isLocal;
    this.guard = new OutboundGuard({ allow, schemes, ports, resolve, ca, allowLoopback }, 'push.');
    this.#hasAuth = options.auth !== undefined;
    const reachesMachine = () => this.reachesMachine;
    this.relayGuard = new OutboundGuard({ allow, schemes, ports, resolve, ca, allowLoopback: reachesMachine }, 'push.');
    this.#locality = locality;
  }

  /** The relay may call other programs of this machine: its users could do so themselves. */
  get reachesMachine(): boolean {
    return this.#locality.isLocal && !this.#hasAuth;
  }

  /** Webhooks of this server may lead to this machine. */
  get isLocal(): boolean {
    return this.#locality.isLocal;
  }

  /** The server listens on this address. */
  listensOn(host: string): void {
    this.#locality.listensOn(host);
  }
}
