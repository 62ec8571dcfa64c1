import { Relay } from './relay.ts';

/** How often nodes are asked whether they are ready, and how long they have for the answer, in milliseconds. */
const LOOK_MS = 200;
const ANSWER_MS = 1000;

/**
 * A balancer as any other: each connection goes to the next node that is ready, and knows nothing of tasks. Nodes are asked
 * for `/readyz`; connections to one that is no longer ready stay as they are.
 */
export class Balancer {
  readonly relay: Relay;
  readonly #ports = new Set<number>();
  readonly #ready = new Set<number>();
  #next = 0;
  #isOver = false;
  #looking: Promise<void> | undefined;

  constructor() {
    this.relay = new Relay(() => this.#choose());
  }

  async listen(): Promise<string> {
    const port = await this.relay.listen();
    this.#looking = this.#look();
    return `http://127.0.0.1:${port}`;
  }

  add(port: number): void {
    this.#ports.add(port);
  }

  remove(port: number): void {
    this.#ports.delete(port);
    this.#ready.delete(port);
  }

  /** How many nodes are ready, as far as it knows. */
  get ready(): number {
    return this.#ready.size;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#looking;
    await this.relay.close();
  }

  #choose(): number | undefined {
    const ready = [...this.#ready];
    this.#next += 1;
    return ready[this.#next % ready.length];
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all([...this.#ports].map((port) => this.#ask(port)));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async #ask(port: number): Promise<void> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const headers = { connection: 'close' };
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal, headers }).catch(() => undefined);
    await response?.body?.cancel().catch(() => {});
    if (response?.ok && this.#ports.has(port)) this.#ready.add(port);
    else this.#ready.delete(port);
  }
}
