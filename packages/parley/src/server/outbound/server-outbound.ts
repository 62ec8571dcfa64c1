import type { A2AServerOptions } from '../options.ts';
import { Locality } from '../push/locality.ts';
import { OutboundGuard } from './guard.ts';

/**
 * The one guard of a server, for webhooks and for files alike, by its setting `push`. A server that only this machine
 * reaches may call this machine.
 */
export class ServerOutbound {
  readonly guard: OutboundGuard;
  readonly #locality: Locality;

  constructor(options: A2AServerOptions) {
    const locality = new Locality(options);
    const { allow, schemes, ports, resolve, ca } = typeof options.push === 'object' ? options.push : {};
    const allowLoopback = () => locality.isLocal;
    this.guard = new OutboundGuard({ allow, schemes, ports, resolve, ca, allowLoopback }, 'push.');
    this.#locality = locality;
  }

  /** The server listens on this address. */
  listensOn(host: string): void {
    this.#locality.listensOn(host);
  }
}
