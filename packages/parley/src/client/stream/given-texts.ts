import { textOf } from '../../model/parts.ts';
import { isReasoning } from '../../model/reasoning.ts';
import type { Artifact, StreamEvent } from '../../model/task.ts';

interface Given {
  text: string;
  /** The length that the artifact has now: less after it was put back to an earlier state, as after a restart. */
  length: number;
}

/** The text that is new for a reader. */
interface NewText {
  readonly text: string;
  /** The artifact has become something else: the text is all of it, from its beginning. */
  readonly isAnew: boolean;
}

/**
 * The text that a reader was given of each artifact. It cannot be taken back, so an artifact that is put back and then
 * grows again gives nothing until it has more than was given; one that becomes something else is given again.
 */
export class GivenTexts {
  readonly #given = new Map<string, Given>();
  /** Artifacts that are no part of the answer. */
  readonly #apart = new Set<string>();

  /** The text that is new with an event. */
  newIn(event: StreamEvent): string {
    switch (event.kind) {
      case 'task':
        return event.task.artifacts.map((artifact) => this.#next(artifact, false)).join('');
      case 'artifact':
        return this.#next(event.artifact, event.append);
      case 'message':
        return textOf(event.message);
      case 'status':
        return '';
    }
  }

  /** The new text of a chunk. */
  next(artifactId: string, chunk: string, append: boolean): NewText {
    const given = this.#given.get(artifactId);
    if (!given) {
      this.#given.set(artifactId, { text: chunk, length: chunk.length });
      return { text: chunk, isAnew: false };
    }
    const start = append ? given.length : 0;
    const end = start + chunk.length;
    given.length = end;
    if (start === given.text.length) {
      given.text += chunk;
      return { text: chunk, isAnew: false };
    }
    const known = given.text.slice(start, end);
    if (!chunk.startsWith(known)) {
      given.text = given.text.slice(0, start) + chunk;
      return { text: given.text, isAnew: true };
    }
    const fresh = chunk.slice(known.length);
    given.text += fresh;
    return { text: fresh, isAnew: false };
  }

  #next(artifact: Artifact, append: boolean): string {
    const { artifactId } = artifact;
    // Only its first chunk has the name.
    if (isReasoning(artifact)) this.#apart.add(artifactId);
    return this.#apart.has(artifactId) ? '' : this.next(artifactId, textOf(artifact), append).text;
  }
}
