import { pause } from '../../support/script.ts';
import type { Journal } from '../check/journal.ts';
import type { Calls } from './calls.ts';
import { Clients } from './clients.ts';
import { Random } from './random.ts';

const CLIENTS = 6;

/** Several clients at once, from now on until their server is killed. */
export class Work {
  readonly #journal: Journal;
  readonly #clients: Clients;
  readonly #runs: readonly Promise<void>[];

  constructor(calls: Calls, journal: Journal, random: Random) {
    this.#journal = journal;
    this.#clients = new Clients(calls, journal);
    this.#runs = Array.from({ length: CLIENTS }, (_, index) =>
      this.#clients.run(new Random(random.unit() * 2 ** 32, index)),
    );
  }

  /** Lets them work for some time, or until they have seen so much. */
  async goOn(random: Random): Promise<void> {
    const journal = this.#journal;
    const time = random.between(1, 250);
    const enough = journal.observations + (random.chance(0.5) ? random.between(1, 800) : Number.POSITIVE_INFINITY);
    const start = performance.now();
    while (performance.now() - start < time && journal.observations < enough) await pause(1);
  }

  async endBy(kill: () => Promise<void>): Promise<void> {
    this.#clients.expectTheEnd();
    await kill();
    await Promise.all(this.#runs);
  }
}
