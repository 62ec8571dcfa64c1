import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { Artifact, Message } from '../../model/task.ts';
import type { StatusEvent } from '../log/events.ts';
import type { ArtifactEnd } from '../log/open-artifacts.ts';
import type { Clock } from '../ports.ts';
import type { ChunkDraft, MessageDraft } from '../turn/runner.ts';
import { RepeatedOutput } from './repeated-output.ts';
import type { OpenQuestion, Replay } from './replay.ts';
import { ReplayOrder } from './replay-order.ts';

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The records of a resumable turn. A run that takes the place of another begins anew and gets the recorded results
 * instead of doing the steps again; until it has got the last of them, what it writes is in the log already.
 */
export class TurnJournal {
  readonly #clock: Clock;
  readonly #replay: Replay | undefined;
  readonly #results: Map<string, JsonValue | undefined>;
  readonly #answers: Map<string, Message>;
  readonly #unanswered: Set<string>;
  /** Questions that the run before asked and that this one has not come to, by their steps, oldest first. */
  readonly #openQuestions: Map<string, OpenQuestion>;
  #order: ReplayOrder;
  #takes = 0;
  readonly #lastTake: number;
  /** Artifacts of the run before that this one has not begun yet. */
  readonly #begun: Set<string>;
  #said: readonly StatusEvent[];
  readonly #ends = new Map<string, ArtifactEnd>();
  /** The output of the run until it is where the one before it was. */
  readonly repeated = new RepeatedOutput();
  /** The length of each artifact's text that was compared. */
  readonly #compared = new Map<string, number>();

  constructor(clock: Clock, replay?: Replay) {
    this.#clock = clock;
    this.#replay = replay;
    this.#results = replay?.results ?? new Map();
    this.#answers = replay?.answers ?? new Map();
    this.#unanswered = replay?.unanswered ?? new Set();
    this.#openQuestions = new Map(replay?.openQuestions.map((question) => [question.step, question]));
    this.#lastTake = Math.max(0, ...(replay?.takes.keys() ?? []));
    this.#begun = new Set(replay?.begun);
    this.#said = replay?.said ?? [];
    this.#order = this.#newOrder(() => {});
  }

  /** The run begins. `onOver` is called when it is where the one before it was, unless it is there from the start. */
  begin(onOver: () => void): void {
    this.#order = this.#newOrder(onOver);
  }

  #newOrder(onOver: () => void): ReplayOrder {
    const clock = this.#clock;
    return new ReplayOrder({
      steps: this.#replay?.order ?? [],
      nextTurn: (callback) => clock.nextTurn(callback),
      after: (milliseconds, callback) => clock.after(milliseconds, callback),
      onLeft: (left) => {
        for (const [artifactId, end] of Object.entries(left)) this.leave(artifactId, end);
      },
      onOver,
    });
  }

  /** The number of this run among those of its turn, from 1. */
  get attempt(): number {
    return (this.#replay?.runs ?? 0) + 1;
  }

  /** The run repeats what is in the log. */
  get isReplaying(): boolean {
    return !this.#order.isOver;
  }

  /** Recorded steps that the run has not come to. */
  get unreached(): readonly string[] {
    const open = this.#openQuestions.keys();
    const left = [...this.#results.keys(), ...this.#answers.keys(), ...this.#unanswered, ...open];
    return left.filter((step) => !this.#order.isWaiting(step));
  }

  /** The amount that the turn has written. */
  get written(): number {
    return this.#order.written;
  }

  /** The run has come to a step: resolves when it is its turn. */
  reach(step: string): Promise<void> | undefined {
    return this.#order.reach(step);
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

  /** Returns true if the question was not answered in time. */
  takeUnanswered(step: string): boolean {
    return this.#unanswered.delete(step);
  }

  /** A question that the run before asked and that is still open; the run then waits without asking again. */
  takeQuestion(step: string): OpenQuestion | undefined {
    const open = this.#openQuestions.get(step);
    this.#openQuestions.delete(step);
    return open;
  }

  /** The questions that are still open and that the run has not come to, oldest first. */
  get openQuestions(): readonly OpenQuestion[] {
    return [...this.#openQuestions.values()];
  }

  /** The names of questions that the run before had answers to. */
  get closedIds(): ReadonlySet<string> {
    return this.#replay?.closedIds ?? NO_IDS;
  }

  /** An answer came before the run has come to its question. */
  answer(step: string, message: Message): void {
    this.#openQuestions.delete(step);
    this.#answers.set(step, message);
  }

  /** The run looks for messages: those that the one before it got then; undefined where there are only new ones. */
  take(): { readonly take: number; readonly messages: readonly Message[] | undefined } {
    this.#takes += 1;
    const take = this.#takes;
    if (take > this.#lastTake && !this.isReplaying) return { take, messages: undefined };
    return { take, messages: this.#replay?.takes.get(take) ?? [] };
  }

  /** True if the next look for messages repeats one. */
  get repeatsTake(): boolean {
    return this.#takes < this.#lastTake;
  }

  /** The run writes so much. Says how much of it, from its end, is not in the log yet. */
  wrote(amount: number): number {
    return this.#order.wrote(amount);
  }

  /** Something new that a run writes before it is its turn: to an artifact, or a status. */
  hold(write: () => void, artifactId: string | undefined): void {
    this.#order.hold(write, artifactId);
  }

  /**
   * The run has written all that it repeats in another order, to artifacts of this turn alone: what it has written takes the
   * place of what the log has.
   */
  get isMixed(): boolean {
    if (!this.#order.isMixed) return false;
    for (const artifactId of this.repeated.artifactIds) if (this.#replay?.earlier.has(artifactId)) return false;
    return true;
  }

  /** The run's output so far is in the log; other artifacts of the turn are replaced when the run comes to them. */
  settleMixed(): void {
    this.#order.settleMixed();
    const { artifactIds } = this.repeated;
    for (const artifactId of artifactIds) this.#begun.delete(artifactId);
    for (const artifactId of this.#replay?.texts.keys() ?? [])
      if (!artifactIds.has(artifactId)) this.#begun.add(artifactId);
  }

  /** The run writes a text again; looks whether it is the same. */
  compare(artifactId: string, text: string): void {
    const known = this.#replay?.texts.get(artifactId);
    if (known === undefined) return;
    const start = this.#compared.get(artifactId) ?? 0;
    const end = start + text.length;
    this.#compared.set(artifactId, end);
    if (known.slice(start, end) !== text.slice(0, Math.max(0, known.length - start))) this.#order.differs();
  }

  /** An artifact is left so by what the log has already. */
  leave(artifactId: string, end: ArtifactEnd): void {
    this.#ends.set(artifactId, end);
  }

  /** A chunk as it must be written: it replaces what the run before had of an artifact that this one begins. */
  begins(chunk: ChunkDraft): ChunkDraft {
    return this.#begun.delete(chunk.artifactId) ? { ...chunk, append: false } : chunk;
  }

  /** Returns true if the run before has said this: in the same order, and after its last record. */
  repeats({ parts, metadata, extensions, referenceTaskIds }: MessageDraft, about: JsonObject | undefined): boolean {
    const [next, ...rest] = this.#said;
    const message = next?.status.message;
    if (!message) return false;
    const was = [message.parts, message.metadata, message.extensions, message.referenceTaskIds, next.metadata];
    const isSame = JSON.stringify(was) === JSON.stringify([parts, metadata, extensions, referenceTaskIds, about]);
    this.#said = isSame ? rest : [];
    return isSame;
  }

  /** Artifacts to put back to what they were at the last record. */
  get resets(): readonly Artifact[] {
    return this.#replay?.resets ?? [];
  }

  /** The ways in which the run has left the artifacts that the log has. */
  get ends(): ReadonlyMap<string, ArtifactEnd> {
    return this.#ends;
  }

  /** The run has returned. Returns the artifacts that the one before it had begun and this one has not. */
  finish(): readonly string[] {
    this.#order.finish();
    return [...this.#begun];
  }

  /** The run is not led any further, and what it writes comes after all that is there. */
  abandon(): void {
    this.#order.abandon();
    this.#begun.clear();
    this.#said = [];
  }
}
