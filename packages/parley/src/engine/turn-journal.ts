import type { JsonValue } from '../model/json.ts';
import type { Artifact, Message } from '../model/task.ts';
import type { Replay } from './replay.ts';

/**
 * What a resumable turn has behind it. A run that takes the place of another begins anew and gets the recorded results
 * instead of doing the steps again; until it has got the last of them, what it writes is in the log already.
 */
export class TurnJournal {
  readonly #counts = new Map<string, number>();
  readonly #results: Map<string, JsonValue | undefined>;
  readonly #answers: Map<string, Message>;
  #openQuestion: string | undefined;
  #resets: readonly Artifact[];

  constructor(replay?: Replay) {
    this.#results = replay?.results ?? new Map();
    this.#answers = replay?.answers ?? new Map();
    this.#openQuestion = replay?.openQuestion;
    this.#resets = replay?.resets ?? [];
  }

  /** The run repeats what is in the log. */
  get isReplaying(): boolean {
    return this.#results.size > 0 || this.#answers.size > 0 || this.#openQuestion !== undefined;
  }

  /** Recorded steps that the run has not come to. */
  get unreached(): readonly string[] {
    return [...this.#results.keys(), ...this.#answers.keys(), ...(this.#openQuestion ? [this.#openQuestion] : [])];
  }

  /** The name of the next step that is called so: runs that do the same things give the same names. */
  nameOf(step: string): string {
    const count = (this.#counts.get(step) ?? 0) + 1;
    this.#counts.set(step, count);
    return `${step} ${count}`;
  }

  takeResult(step: string): { readonly result: JsonValue | undefined } | undefined {
    if (!this.#results.has(step)) return undefined;
    const result = this.#results.get(step);
    this.#results.delete(step);
    return { result };
  }

  takeAnswer(step: string): Message | undefined {
    const answer = this.#answers.get(step);
    this.#answers.delete(step);
    return answer;
  }

  /** Whether this question was asked by the run before and is still open; the run then waits without asking again. */
  takeQuestion(step: string): boolean {
    if (this.#openQuestion !== step) return false;
    this.#openQuestion = undefined;
    return true;
  }

  /** An answer that came while nothing ran. */
  answer(message: Message): string | undefined {
    const step = this.#openQuestion;
    if (step === undefined) return undefined;
    this.#openQuestion = undefined;
    this.#answers.set(step, message);
    return step;
  }

  /** Artifacts to put back to what they were at the last record; only once, when the replay is over. */
  takeResets(): readonly Artifact[] {
    const resets = this.#resets;
    this.#resets = [];
    return resets;
  }
}
