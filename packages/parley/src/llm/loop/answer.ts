import type { RunInside } from '../../agent/run/inside.ts';
import type { ChunkDraft, RunOutput } from '../../engine/turn/runner.ts';
import { REASONING } from '../../model/reasoning.ts';
import type { Part } from '../../model/task.ts';
import type { CallRecord } from './records.ts';

/** Separates what different model calls wrote. */
const BLANK_LINE = '\n\n';

/** One artifact that the model calls of a run write, one after the other. */
class Writing {
  readonly #output: RunOutput;
  readonly #head: Pick<ChunkDraft, 'artifactId' | 'name' | 'extensions'>;
  /** Model calls before the present one have written to it. */
  #isContinued = false;
  /** The first half of a character whose second half comes with the next delta: alone, not every binding can carry it. */
  #half = '';
  /** The present model call has written to it. */
  isTouched = false;

  constructor(inside: RunInside, head: Omit<ChunkDraft, 'artifactId' | 'parts' | 'streamed'>) {
    this.#output = inside.handle.output;
    this.#head = { artifactId: inside.handle.newId(), ...head };
  }

  text(delta: string): Promise<void> | undefined {
    const whole = this.#wholeCharacters(delta);
    if (whole === '') return undefined;
    return this.#chunk([{ kind: 'text', text: this.#separated(whole) }], true);
  }

  part(part: Part): Promise<void> | undefined {
    return this.#chunk([part], false);
  }

  /** A model call is over; `hasContent`: it wrote to the artifact. */
  next(hasContent: boolean): void {
    this.#isContinued ||= hasContent;
    this.#half = '';
    this.isTouched = false;
  }

  /** Puts back what was there before the present model call. */
  reset(before: readonly Part[]): void {
    this.#half = '';
    if (!this.isTouched) return;
    this.isTouched = false;
    const parts: readonly Part[] = before.length > 0 ? before : [{ kind: 'text', text: '' }];
    const streamed = parts.at(-1)?.kind === 'text';
    void this.#output.chunk({ ...this.#head, parts, append: false, streamed })?.catch(() => {});
  }

  #wholeCharacters(delta: string): string {
    const text = this.#half + delta;
    const isSplit = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
    this.#half = isSplit ? text.slice(-1) : '';
    return isSplit ? text.slice(0, -1) : text;
  }

  #separated(delta: string): string {
    return this.#isContinued && !this.isTouched ? BLANK_LINE + delta : delta;
  }

  #chunk(parts: readonly Part[], streamed: boolean): Promise<void> | undefined {
    this.isTouched = true;
    const { artifactId, name, extensions } = this.#head;
    return this.#output.chunk({ artifactId, name, extensions, parts, streamed });
  }
}

/** Writes what the model says: the answer to one artifact, the reasoning to another. */
export class Answer {
  readonly #answer: Writing;
  readonly #reasoning: Writing;
  readonly #isSilent: boolean;

  /** `isSilent`: the text is raw material for data, and is not shown. */
  constructor(inside: RunInside, isSilent: boolean) {
    // Both have their ids from the start, so that a resumed run has the same ones.
    this.#answer = new Writing(inside, { extensions: inside.marks });
    this.#reasoning = new Writing(inside, { name: REASONING });
    this.#isSilent = isSilent;
  }

  text(delta: string): Promise<void> | undefined {
    return this.#isSilent ? undefined : this.#answer.text(delta);
  }

  reasoning(delta: string): Promise<void> | undefined {
    return this.#reasoning.text(delta);
  }

  file(part: Part): Promise<void> | undefined {
    return this.#answer.part(part);
  }

  /** A model call is over, now or before a restart. */
  next(record: CallRecord): void {
    const { answer, reasoning } = partsOf(record, this.#isSilent);
    this.#answer.next(answer.length > 0);
    this.#reasoning.next(reasoning.length > 0);
  }

  /** The present model call begins again, after those that are recorded. */
  reset(records: readonly CallRecord[]): void {
    const before = records.map((record) => partsOf(record, this.#isSilent));
    this.#answer.reset(joined(before.map(({ answer }) => answer)));
    this.#reasoning.reset(joined(before.map(({ reasoning }) => reasoning)));
  }
}

interface Written {
  readonly answer: readonly Part[];
  readonly reasoning: readonly Part[];
}

function partsOf({ messages }: CallRecord, isSilent: boolean): Written {
  const answer: Part[] = [];
  const reasoning: Part[] = [];
  for (const { content } of messages) {
    const pieces = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    for (const piece of pieces) {
      if (piece.type === 'text' && !isSilent && piece.text !== '') answer.push({ kind: 'text', text: piece.text });
      if (piece.type === 'reasoning' && piece.text !== '') reasoning.push({ kind: 'text', text: piece.text });
      if (piece.type === 'file' && typeof piece.data === 'string') {
        answer.push({ kind: 'bytes', bytes: piece.data, mediaType: piece.mediaType });
      }
    }
  }
  return { answer, reasoning };
}

/** The parts of several model calls as one artifact has them: text that follows text is one part with it. */
function joined(calls: readonly (readonly Part[])[]): readonly Part[] {
  const parts: Part[] = [];
  for (const [index, call] of calls.filter((written) => written.length > 0).entries()) {
    for (const [place, part] of call.entries()) {
      const last = parts.at(-1);
      const lead = index > 0 && place === 0 ? BLANK_LINE : '';
      if (part.kind !== 'text') parts.push(part);
      else if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + lead + part.text };
      else parts.push({ kind: 'text', text: lead + part.text });
    }
  }
  return parts;
}
