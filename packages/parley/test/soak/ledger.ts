import type { Script, Verb } from './script.ts';

/** More than these are only counted: a run of half an hour that goes wrong would never stop telling. */
const MOST_FINDINGS = 50;

const RECENT = 100;

/** What was sent and what came back, in a run of the soak. */
export class Ledger {
  readonly #tell: (finding: string) => void;
  #number = 0;
  readonly #findings: string[] = [];
  findingCount = 0;
  /** Tasks that a client was told of, by the number of their message. */
  readonly tasks = new Map<number, string>();
  /** The last of them. */
  readonly recent: string[] = [];
  /** Messages that were answered without a task. */
  readonly replies = new Set<number>();
  /** Tasks whose webhook is to be told of everything. */
  readonly hooked = new Set<string>();
  /** How often each operation was done, by its name and form. */
  readonly done = new Map<string, number>();
  streams = 0;
  events = 0;
  reconnects = 0;
  kills = 0;
  restarts = 0;

  /** @param tell is told of each finding as it is made */
  constructor(tell: (finding: string) => void = () => {}) {
    this.#tell = tell;
  }

  get sent(): number {
    return this.#number;
  }

  get findings(): readonly string[] {
    return this.#findings;
  }

  find(finding: string): void {
    this.findingCount += 1;
    if (this.#findings.length >= MOST_FINDINGS) return;
    this.#findings.push(finding.slice(0, 2_000));
    this.#tell(finding.slice(0, 2_000));
  }

  compose(verb: Verb, chunks: number, burst: number): Script {
    this.#number += 1;
    return { number: this.#number, verb, chunks, burst };
  }

  /** A client was told which task its message made. */
  tellTask(number: number, taskId: string): void {
    const known = this.tasks.get(number);
    if (known === undefined) {
      this.tasks.set(number, taskId);
      this.recent.push(taskId);
      if (this.recent.length > RECENT) this.recent.shift();
    } else if (known !== taskId) this.find(`Message ${number} has two tasks: ${known} and ${taskId}`);
  }

  count(operation: string): void {
    this.done.set(operation, (this.done.get(operation) ?? 0) + 1);
  }
}
