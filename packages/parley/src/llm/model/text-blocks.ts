import { GivenTexts } from '../../client/stream/given-texts.ts';
import { textOf } from '../../model/parts.ts';
import { isReasoning } from '../../model/reasoning.ts';
import type { Artifact, StreamEvent, Task } from '../../model/task.ts';
import { type Answer, BLANK_LINE, jsonTextOf } from './answer.ts';
import type { StreamPart } from './model-types.ts';

type BlockKind = 'text' | 'reasoning';

interface Block {
  readonly id: string;
  readonly kind: BlockKind;
}

/**
 * Writes the texts of artifacts as blocks of a model's stream. A block cannot be taken back: an artifact that becomes something
 * else goes on in a new one.
 *
 * Where JSON is asked for, a reader parses all text together. So text that does not look like JSON is held back until the end,
 * when it may be left out in favour of the agent's data.
 */
export class TextBlocks {
  readonly #emit: (part: StreamPart) => void;
  readonly #isJson: boolean;
  readonly #given = new GivenTexts();
  /** Open blocks, by their artifacts. */
  readonly #blocks = new Map<string, Block>();
  /** Artifacts of reasoning; only their first chunk may have the name. */
  readonly #thoughts = new Set<string>();
  #count = 0;
  #hasAnswer = false;
  /** The beginning of the text, where JSON is asked for, until it shows what it is. */
  #held: string | undefined = '';

  constructor(emit: (part: StreamPart) => void, isJson: boolean) {
    this.#emit = emit;
    this.#isJson = isJson;
  }

  /** Takes the texts of a task as written: an earlier call has returned them. */
  skip(task: Task): void {
    for (const artifact of task.artifacts) {
      if (isReasoning(artifact)) this.#thoughts.add(artifact.artifactId);
      this.#given.next(artifact.artifactId, textOf(artifact.parts), false);
    }
  }

  /** Writes what is new with an event. Messages and status messages wait for the end. */
  add(event: StreamEvent): void {
    if (event.kind === 'artifact') this.#add(event.artifact, event.append, event.lastChunk);
    if (event.kind === 'task') for (const artifact of event.task.artifacts) this.#add(artifact, false, false);
  }

  /** Closes all blocks, and writes what only the whole answer tells. */
  end(answer: Answer, isReply: boolean): void {
    this.close();
    if (this.#isJson) {
      if (!this.#hasAnswer) this.#whole('text', jsonTextOf(answer));
    } else {
      if (isReply) for (const { text } of answer.texts) this.#whole('text', text);
      if (answer.said !== '') this.#whole('text', answer.said);
      if (!this.#hasAnswer && answer.data !== undefined) this.#whole('text', JSON.stringify(answer.data));
    }
    for (const file of answer.files) this.#emit(file);
  }

  close(): void {
    for (const artifactId of [...this.#blocks.keys()]) this.#close(artifactId);
  }

  #add(artifact: Artifact, append: boolean, isLast: boolean): void {
    const { artifactId, parts } = artifact;
    if (isReasoning(artifact)) this.#thoughts.add(artifactId);
    const { text, isAnew } = this.#given.next(artifactId, textOf(parts), append);
    if (isAnew) this.#close(artifactId);
    if (text !== '') this.#write(artifactId, text);
    if (isLast) this.#close(artifactId);
  }

  #write(artifactId: string, text: string): void {
    const kind: BlockKind = this.#thoughts.has(artifactId) ? 'reasoning' : 'text';
    const shown = this.#isJson && kind === 'text' ? this.#jsonIn(text) : text;
    if (shown === '') return;
    const known = this.#blocks.get(artifactId);
    const block = known ?? this.#begin(kind);
    if (!known) this.#blocks.set(artifactId, block);
    this.#emit(deltaOf(block, known ? shown : this.#separated(kind) + shown));
    if (kind === 'text') this.#hasAnswer = true;
  }

  /** The text, once it is clear that it is JSON; none before, and none of other text. */
  #jsonIn(text: string): string {
    if (this.#hasAnswer) return text;
    if (this.#held === undefined) return '';
    this.#held += text;
    const first = this.#held.trimStart()[0];
    if (first === undefined) return '';
    const begun = this.#held;
    this.#held = undefined;
    return first === '{' || first === '[' ? begun : '';
  }

  #separated(kind: BlockKind): string {
    return kind === 'text' && this.#hasAnswer && !this.#isJson ? BLANK_LINE : '';
  }

  #whole(kind: BlockKind, text: string): void {
    const block = this.#begin(kind);
    this.#emit(deltaOf(block, this.#separated(kind) + text));
    this.#emit({ type: `${kind}-end`, id: block.id });
    this.#hasAnswer = true;
  }

  #begin(kind: BlockKind): Block {
    this.#count += 1;
    const block = { id: String(this.#count), kind };
    this.#emit({ type: `${kind}-start`, id: block.id });
    return block;
  }

  #close(artifactId: string): void {
    const block = this.#blocks.get(artifactId);
    if (!block) return;
    this.#blocks.delete(artifactId);
    this.#emit({ type: `${block.kind}-end`, id: block.id });
  }
}

function deltaOf({ id, kind }: Block, delta: string): StreamPart {
  return kind === 'text' ? { type: 'text-delta', id, delta } : { type: 'reasoning-delta', id, delta };
}
