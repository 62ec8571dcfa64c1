/** Writes a chunk of an artifact; `isFirst`: it takes the place of all that the artifact has. */
type WriteAgain = (isFirst: boolean) => void;

interface RepeatedWrite {
  readonly artifactId: string;
  readonly chunk?: WriteAgain | undefined;
  readonly end?: (() => void) | undefined;
}

/** The output of a run to artifacts while it repeats another, in case it does so in another order. */
export class RepeatedOutput {
  #writes: RepeatedWrite[] = [];

  addChunk(artifactId: string, chunk: WriteAgain): void {
    this.#writes.push({ artifactId, chunk });
  }

  addEnd(artifactId: string, end: () => void): void {
    this.#writes.push({ artifactId, end });
  }

  get artifactIds(): ReadonlySet<string> {
    return new Set(this.#writes.map(({ artifactId }) => artifactId));
  }

  /** Writes it to the log, and replaces what the log has of these artifacts. */
  writeAgain(): void {
    const begun = new Set<string>();
    for (const { artifactId, chunk, end } of this.#writes) {
      // Without content there is nothing to end.
      if (begun.has(artifactId)) end?.();
      if (!chunk) continue;
      chunk(!begun.has(artifactId));
      begun.add(artifactId);
    }
  }

  forget(): void {
    this.#writes = [];
  }
}
