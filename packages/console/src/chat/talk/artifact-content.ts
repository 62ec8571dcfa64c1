import { type Artifact, type Part, textOf } from 'parley-a2a/client';
import { StreamedText, type TextView } from '../text/streamed-text.ts';

/** A part as the page shows it: texts grow, everything else is as it is. */
export type ContentPart =
  | { readonly kind: 'text'; readonly view: TextView }
  | { readonly kind: 'other'; readonly part: Exclude<Part, { readonly kind: 'text' }> };

interface GrowingText {
  readonly kind: 'text';
  readonly text: StreamedText;
  /** The whole of it, for copying and comparing; strings that grow at their end are cheap. */
  raw: string;
}

type Held = GrowingText | Extract<ContentPart, { readonly kind: 'other' }>;

/** The content of an artifact as it grows. */
export class ArtifactContent {
  readonly id: string;
  #name: string | undefined;
  #description: string | undefined;
  #parts: Held[] = [];
  #version = 0;
  #isFinished = false;

  constructor(id: string) {
    this.id = id;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get description(): string | undefined {
    return this.#description;
  }

  /** Another number whenever the content changed. */
  get version(): number {
    return this.#version;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The parts as they are now. */
  view(): readonly ContentPart[] {
    return this.#parts.map((part) => (part.kind === 'text' ? { kind: 'text', view: part.text.view() } : part));
  }

  get hasText(): boolean {
    return this.#parts.some(({ kind }) => kind === 'text');
  }

  /** All of its text, as it was sent. */
  text(): string {
    return this.#parts.map((part) => (part.kind === 'text' ? part.raw : '')).join('');
  }

  /** Takes a chunk, or the artifact anew. */
  take(artifact: Artifact, append: boolean, lastChunk: boolean): void {
    if (append) this.#add(artifact.parts);
    else this.become(artifact);
    this.#describe(artifact);
    if (lastChunk) this.finish();
    this.#version += 1;
  }

  /** Becomes what the artifact says. A text that only grew goes on, so that the page does not begin anew. */
  become(artifact: Artifact): void {
    this.#describe(artifact);
    const grown = this.#isFinished ? undefined : grownText(this.#parts, artifact.parts);
    if (grown !== undefined) {
      this.#add(grown);
    } else if (!this.#isFinished || !this.#isLike(artifact.parts)) {
      this.#parts = [];
      this.#isFinished = false;
      this.#add(artifact.parts);
    }
    this.#version += 1;
  }

  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    for (const part of this.#parts) if (part.kind === 'text') part.text.finish();
    this.#version += 1;
  }

  #isLike(parts: readonly Part[]): boolean {
    const others = this.#parts.filter(({ kind }) => kind === 'other').length;
    return this.text() === textOf(parts) && others === parts.filter(({ kind }) => kind !== 'text').length;
  }

  #describe({ name, description }: Artifact): void {
    this.#name = name ?? this.#name;
    this.#description = description ?? this.#description;
  }

  /** The first text of a chunk goes on with the text before it; further ones stand by themselves. */
  #add(parts: readonly Part[]): void {
    let mayJoin = true;
    for (const part of parts) {
      if (part.kind !== 'text') {
        this.#parts.push({ kind: 'other', part });
      } else {
        const last = mayJoin ? this.#parts.at(-1) : undefined;
        // A chunk that only says that it is the last has an empty text.
        const target = last?.kind === 'text' ? last : part.text === '' ? undefined : this.#newText();
        target?.text.append(part.text);
        if (target) target.raw += part.text;
      }
      mayJoin = false;
    }
  }

  #newText(): GrowingText {
    const text: GrowingText = { kind: 'text', text: new StreamedText(), raw: '' };
    this.#parts.push(text);
    return text;
  }
}

/** What is new in parts of which the first is a text that begins with the one that is there; undefined where they differ. */
function grownText(held: readonly Held[], parts: readonly Part[]): readonly Part[] | undefined {
  const [first, ...rest] = parts;
  const [known] = held;
  if (held.length !== 1 || known?.kind !== 'text' || first?.kind !== 'text') return undefined;
  if (!first.text.startsWith(known.raw)) return undefined;
  return [{ ...first, text: first.text.slice(known.raw.length) }, ...rest];
}
