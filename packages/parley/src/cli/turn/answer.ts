import { GivenTexts } from '../../client/stream/given-texts.ts';
import { textOf } from '../../model/parts.ts';
import { isReasoning } from '../../model/reasoning.ts';
import type { Artifact, Part, StreamEvent, Task, TextPart } from '../../model/task.ts';
import { MarkdownRenderer, PlainRenderer, type Renderer } from '../markdown/renderer.ts';
import type { Screen } from '../show/screen.ts';

/**
 * Writes the text of an answer to stdout as it comes: of artifacts, or of a bare message. Shown to a person it is
 * rendered and harmless; a program that reads it gets every character as the agent wrote it.
 */
export class Answer {
  readonly #screen: Screen;
  readonly #given = new GivenTexts();
  /** Artifacts with the reasoning of a model, which is no part of the answer. */
  readonly #apart = new Set<string>();
  #current: { readonly key: string; readonly renderer: Renderer } | undefined;
  #hasText = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** True where this turn has text. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** Text that is written but not shown yet. */
  get pending(): string {
    return this.#current?.renderer.pending ?? '';
  }

  /** Marks the text of earlier turns as shown. */
  skip(task: Task): void {
    for (const artifact of task.artifacts) this.#given.next(artifact.artifactId, textOf(artifact), false);
  }

  /** Another turn begins. */
  begin(): void {
    this.#hasText = false;
  }

  apply(event: StreamEvent): void {
    switch (event.kind) {
      case 'task':
        for (const artifact of event.task.artifacts) this.#artifact(artifact, false);
        return;
      case 'artifact':
        this.#artifact(event.artifact, event.append);
        return;
      case 'message':
        this.text(event.message.parts, 'message');
        return;
      case 'status':
        return;
    }
  }

  #artifact(artifact: Artifact, append: boolean): void {
    const { artifactId, parts } = artifact;
    if (isReasoning(artifact)) this.#apart.add(artifactId);
    if (this.#apart.has(artifactId)) return;
    const chunk = textOf(artifact);
    const { text, isAnew } = this.#given.next(artifactId, chunk, append);
    if (!isAnew) {
      this.text(behind(parts, chunk.length - text.length), artifactId);
      return;
    }
    const kept = text.slice(0, text.length - chunk.length);
    this.text(kept === '' ? parts : [{ kind: 'text', text: kept }, ...parts], artifactId, true);
  }

  /** Text of one source; sources are kept apart by a blank line. */
  text(parts: readonly Part[], key: string, anew = false): void {
    if (anew) this.#close();
    for (const part of parts) {
      if (part.kind !== 'text' || part.text === '') continue;
      const rendererKey = `${key} ${isMarkdown(part)}`;
      if (this.#current?.key !== rendererKey) this.#open(rendererKey, part);
      this.#hasText = true;
      this.#screen.write(this.#current?.renderer.write(part.text) ?? '');
    }
  }

  /** Ends what is being written, with the end of a line. */
  end(): void {
    this.#close();
  }

  #open(key: string, part: TextPart): void {
    this.#close();
    if (this.#hasText) this.#screen.write('\n');
    this.#current = { key, renderer: this.#rendererFor(part) };
  }

  #close(): void {
    this.#screen.write(this.#current?.renderer.end() ?? '');
    this.#current = undefined;
  }

  #rendererFor(part: TextPart): Renderer {
    if (!this.#screen.isShown) return new RawRenderer(() => this.#screen.idle());
    if (!isMarkdown(part)) return new PlainRenderer();
    return new MarkdownRenderer({ style: this.#screen.style, columns: () => this.#screen.columns });
  }
}

/** Agents say Markdown unless they say otherwise. */
function isMarkdown({ mediaType }: TextPart): boolean {
  return mediaType === undefined || /^text\/(x-)?markdown\b/i.test(mediaType);
}

function behind(parts: readonly Part[], length: number): readonly Part[] {
  let rest = length;
  return parts.flatMap((part): readonly Part[] => {
    if (part.kind !== 'text') return [];
    const skipped = Math.min(rest, part.text.length);
    rest -= skipped;
    return [{ ...part, text: part.text.slice(skipped) }];
  });
}

/** As it comes. From then on there is no status line, whose reader may see the same terminal. */
class RawRenderer implements Renderer {
  readonly pending = '';
  readonly #onWrite: () => void;
  #endsLine = true;

  constructor(onWrite: () => void) {
    this.#onWrite = onWrite;
  }

  write(text: string): string {
    this.#onWrite();
    this.#endsLine = text.endsWith('\n');
    return text;
  }

  end(): string {
    return this.#endsLine ? '' : '\n';
  }
}
