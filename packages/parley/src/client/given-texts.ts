interface Given {
  text: string;
  /** How much of it the artifact has by now: less after it was put back to an earlier state, as after a restart. */
  length: number;
}

/**
 * What a reader of text was given of each artifact. That cannot be taken back, so an artifact that is put back and then
 * grows again gives nothing until it has more than was given; one that becomes something else is given anew.
 */
export class GivenTexts {
  readonly #given = new Map<string, Given>();

  /** What is to be given of a chunk. */
  next(artifactId: string, chunk: string, append: boolean): string {
    const given = this.#given.get(artifactId);
    if (!given) {
      this.#given.set(artifactId, { text: chunk, length: chunk.length });
      return chunk;
    }
    const start = append ? given.length : 0;
    const end = start + chunk.length;
    if (start === given.text.length) {
      given.text += chunk;
      given.length = end;
      return chunk;
    }
    const known = given.text.slice(start, end);
    if (!chunk.startsWith(known)) {
      given.text = given.text.slice(0, start) + chunk;
      given.length = end;
      return given.text;
    }
    const fresh = chunk.slice(known.length);
    given.text += fresh;
    given.length = end;
    return fresh;
  }
}
