import { type Asking, answeredAmong, askingAll, askingByName } from '../../model/extensions/open-questions.ts';
import { awaitsSecret } from '../../model/secrets.ts';
import type { InterruptedState } from '../../model/states.ts';
import type { Message } from '../../model/task.ts';
import type { MessageDraft } from './runner.ts';

/** A question of a run, from when it is asked until it is answered or given up. */
export interface RunQuestion {
  readonly id: string;
  readonly prompt: MessageDraft;
  readonly state: InterruptedState;
  /** The name under which the question is recorded; undefined in a turn that cannot be resumed. */
  readonly step: string | undefined;
  /** Milliseconds until it is given up, from when it is shown. */
  readonly timeout: number | undefined;
  /** A message that came before the question is not taken as its answer. */
  readonly isFresh: boolean;
  /** The run before had an answer, a secret that is no longer known. Its place among the steps is recorded. */
  readonly isRepeated: boolean;
  /** The run before has asked it, and it was open when that was lost. */
  readonly isLeft: boolean;
  readonly answer: PromiseWithResolvers<Message>;
  /** In milliseconds since the epoch, from when it is shown. */
  answerBy: number | undefined;
  shownAt: number;
  stopWait: (() => void) | undefined;
  /** It was shown beside others, under its name. */
  isNamed: boolean;
}

/** The questions of a run that are shown, and those that are about to be, each oldest first. */
export class QuestionSet {
  #open: readonly RunQuestion[] = [];
  #waiting: readonly RunQuestion[] = [];

  get open(): readonly RunQuestion[] {
    return this.#open;
  }

  get size(): number {
    return this.#open.length + this.#waiting.length;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  add(question: RunQuestion): void {
    this.#waiting = [...this.#waiting, question];
  }

  /** The log shows the question already, with whatever else is open. */
  addOpen(question: RunQuestion): void {
    this.#open = [...this.#open, question];
  }

  remove(question: RunQuestion): void {
    this.#open = this.#open.filter((other) => other !== question);
  }

  /** Opens those that may be shown now, and returns them. A question for a secret is open alone. */
  admit(): readonly RunQuestion[] {
    if (this.#open.some(isSecret)) return [];
    const end = this.#waiting.findIndex(isSecret);
    const isAlone = end === 0 && this.#open.length === 0;
    const count = isAlone ? 1 : end < 0 ? this.#waiting.length : end;
    const admitted = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#open = [...this.#open, ...admitted];
    if (this.#open.length > 1) for (const question of this.#open) question.isNamed = true;
    return admitted;
  }

  /** The open questions that a message answers. */
  answeredBy(message: Pick<Message, 'parts' | 'metadata'>): readonly RunQuestion[] {
    return answeredAmong(message, this.#open);
  }

  /** The message that shows the open questions. */
  prompt(): MessageDraft {
    const [only, ...others] = this.#open.map(({ id, prompt }) => ({ id, message: prompt as Asking }));
    if (!only) return { parts: [] };
    if (others.length > 0) return askingAll([only, ...others]);
    return this.#open[0]?.isNamed
      ? { ...this.#open[0].prompt, ...askingByName(only) }
      : (this.#open[0]?.prompt ?? { parts: [] });
  }

  /** The time at which the first of the open questions is given up. */
  get answerBy(): number | undefined {
    const times = this.#open.flatMap(({ answerBy }) => answerBy ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Empties the set; returns all that was in it. */
  clear(): readonly RunQuestion[] {
    const all = [...this.#open, ...this.#waiting];
    this.#open = [];
    this.#waiting = [];
    return all;
  }
}

/** The answer to the question is a secret. */
export function isSecret({ state, prompt }: RunQuestion): boolean {
  return awaitsSecret({ state, message: prompt });
}
