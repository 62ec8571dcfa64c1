import type { Agent } from 'parley-a2a';
import { agentOf, gate } from '../support/script.ts';

/** How much a message asks the agent to write: `<chunks> <characters of each>`. */
export interface Volume {
  readonly chunks: number;
  readonly size: number;
}

export function volumeText({ chunks, size }: Volume): string {
  return `${chunks} ${size}`;
}

/** Not ASCII alone, so that a connection may also break inside a character. */
export function chunkText(index: number, size: number): string {
  return `${index} é `.padEnd(size, '.');
}

/** An agent that waits for `go()`, and then writes as fast as it can. */
export class Writer {
  readonly agent: Agent = agentOf((task) => this.#write(task.text));
  #gate = gate();
  #written = 0;

  get written(): number {
    return this.#written;
  }

  /** Lets those write that wait now. */
  go(): void {
    this.#gate.resolve();
    this.#gate = gate();
  }

  async *#write(text: string): AsyncGenerator<string, void, void> {
    const [chunks = 0, size = 0] = text.split(' ').map(Number);
    await this.#gate.promise;
    for (let index = 0; index < chunks; index += 1) yield chunkText(index, size);
    this.#written += 1;
  }
}
