import { lookup } from 'node:dns/promises';

/** The most names that the machine is asked for at once. Each holds one of the four threads that files and ciphers need too. */
const MOST_LOOKUPS = 2;
/** Milliseconds for which a name that failed waits behind the others. */
const FAILURE_MEMORY = 60_000;
const MOST_FAILURES = 10_000;

/** Runs `width` pieces of work at once; the others wait in line. */
class Lane {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(width: number) {
    this.#free = width;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/**
 * Asks the machine for the addresses of names: by its hosts file, its search domains and its name servers. A name server
 * that does not answer holds a thread for many seconds, so names that failed lately have a lane of their own.
 */
export class NameLookups {
  readonly #quick = new Lane(MOST_LOOKUPS - 1);
  readonly #doubtful = new Lane(1);
  readonly #running = new Map<string, Promise<readonly string[]>>();
  readonly #failedAt = new Map<string, number>();
  readonly #askMachine: (host: string) => Promise<readonly string[]>;

  constructor(askMachine: (host: string) => Promise<readonly string[]> = machineLookup) {
    this.#askMachine = askMachine;
  }

  find(host: string): Promise<readonly string[]> {
    const running = this.#running.get(host);
    if (running) return running;
    const lane = this.#hasFailed(host) ? this.#doubtful : this.#quick;
    const found = lane.run(() => this.#ask(host)).finally(() => this.#running.delete(host));
    this.#running.set(host, found);
    return found;
  }

  async #ask(host: string): Promise<readonly string[]> {
    try {
      const addresses = await this.#askMachine(host);
      this.#failedAt.delete(host);
      return addresses;
    } catch (error) {
      if (this.#failedAt.size >= MOST_FAILURES) this.#failedAt.clear();
      this.#failedAt.set(host, Date.now());
      throw error;
    }
  }

  #hasFailed(host: string): boolean {
    const time = this.#failedAt.get(host);
    return time !== undefined && Date.now() - time < FAILURE_MEMORY;
  }
}

async function machineLookup(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
