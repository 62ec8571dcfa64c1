import type { LocalitySettings } from '../routing/locality.ts';
import { isLoopbackAddress, isLoopbackHost } from '../routing/locality.ts';

/**
 * Knows if only programs on this machine reach the server: it listens on loopback alone, and nothing speaks of a proxy.
 * Its callers could reach the webhooks of this machine themselves.
 */
export class Locality {
  readonly #mayBeLocal: boolean;
  #hosts = 0;
  #others = 0;

  constructor({ url, trustProxy = false }: LocalitySettings) {
    this.#mayBeLocal = !trustProxy && (url === undefined || isLoopbackHost(URL.parse(url)?.host));
  }

  listensOn(host: string): void {
    this.#hosts += 1;
    if (!isLoopbackAddress(host) && !isLoopbackHost(host)) this.#others += 1;
  }

  get isLocal(): boolean {
    return this.#mayBeLocal && this.#hosts > 0 && this.#others === 0;
  }
}
