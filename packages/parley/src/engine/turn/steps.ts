import type { JsonValue } from '../../model/basics/json.ts';
import type { ArtifactEnd } from '../log/open-artifacts.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import type { RunLife } from './run-life.ts';
import type { RunSteps, StepAction, StepShape } from './runner.ts';
import type { TurnTask } from './turn-task.ts';

/** The output of the run at a step, and its times, which only operators look at. */
interface StepNotes {
  /** In milliseconds since the epoch. */
  readonly begunAt: number;
  readonly endedAt: number;
  readonly called: number | undefined;
  readonly left: Readonly<Record<string, ArtifactEnd>> | undefined;
}

const ALREADY = Promise.resolve();

/** The steps of a run, which are done once: a run that takes the place of another gets the recorded results. */
export class TurnSteps implements RunSteps {
  readonly #task: TurnTask;
  readonly #life: RunLife;
  readonly #journal: TurnJournal | undefined;
  readonly #messageSeq: number;
  /** The number of times that each name has come. */
  readonly #counts = new Map<string, number>();
  #lastResult: Promise<void> = Promise.resolve();
  /** Results that are recorded and that the run does not have yet. */
  #due = 0;
  #underWay = 0;

  constructor(task: TurnTask, life: RunLife, journal: TurnJournal | undefined, messageSeq: number) {
    this.#task = task;
    this.#life = life;
    this.#journal = journal;
    this.#messageSeq = messageSeq;
  }

  /** Steps are being done. */
  get areUnderWay(): boolean {
    return this.#underWay > 0;
  }

  async perform(name: string, action: StepAction, shape: StepShape = {}): Promise<JsonValue | undefined> {
    this.#underWay += 1;
    try {
      return await this.#perform(name, action, shape);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #perform(name: string, action: StepAction, { writes }: StepShape): Promise<JsonValue | undefined> {
    await this.#life.refusal();
    const step = this.numbered(name);
    const id = encodeURIComponent(step.toWellFormed());
    const perform = () => action({ idempotencyKey: `${this.#task.log.identity.id}/${this.#messageSeq}/${id}` });
    // The steps of a cancel handler are never taken up again.
    if (this.#life.phase === 'canceling') return perform();
    const called = this.#journal?.written;
    await this.reach(step);
    const recorded = this.#journal?.takeResult(step);
    if (recorded) return recorded.result;
    this.#task.output.makeTask();
    if (this.#journal) await this.#task.records.whenCommitted();
    this.#life.requireRunning();
    // Another node may be about to do the same.
    const { tenure, clock } = this.#task.services;
    if (!tenure.isGood) {
      await tenure.renewed();
      this.#life.requireRunning();
    }
    const begunAt = clock.now();
    const result = await perform();
    this.#life.requireRunning();
    if (!this.#journal) return result;
    const left = writes ? this.#task.log.openArtifactEnds() : undefined;
    await this.#record(step, result, { called, left, begunAt, endedAt: clock.now() });
    return result;
  }

  /** A result with a secret in it is recorded encrypted; where there is no key it is not, and a resumed run does it again. */
  async #record(step: string, result: JsonValue | undefined, notes: StepNotes): Promise<void> {
    const { records, secrets, services, log } = this.#task;
    const text = result === undefined || secrets.isEmpty ? undefined : JSON.stringify(result);
    if (text === undefined || !secrets.areIn(text)) {
      return this.#inTurn(records.commit({ kind: 'step', step, result, ...notes }));
    }
    const sealed = await services.vault?.seal(text, log.identity.id);
    this.#life.requireRunning();
    return this.#inTurn(sealed === undefined ? ALREADY : records.commit({ kind: 'step', step, sealed, ...notes }));
  }

  /** The name under which a step or question is recorded: with how often it has come. */
  numbered(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return `${name} ${count}`;
  }

  /** Waits for the step's place in the recorded order, in a run that repeats another. */
  async reach(step: string | undefined): Promise<void> {
    const place = step === undefined ? undefined : this.#journal?.reach(step);
    if (!place) return;
    await place;
    this.#life.requireRunning();
  }

  /**
   * Gives the run what was recorded just now, after the results of steps that were recorded before: a replay gives them in the
   * order of their records.
   */
  afterResults(give: () => void): void {
    if (!this.#journal || (!this.areUnderWay && this.#due === 0)) {
      give();
      return;
    }
    void this.#inTurn(this.#task.records.whenCommitted()).then(give, give);
  }

  /**
   * Results are returned in turns of the loop of their own and in the order of their records, as a replay returns them.
   * `committed`: what was recorded just now is on disk.
   */
  #inTurn(committed: Promise<void>): Promise<void> {
    const { clock } = this.#task.services;
    const before = this.#lastResult;
    const given = committed.then(() => before).then(() => new Promise<void>((resolve) => clock.nextTurn(resolve)));
    this.#due += 1;
    const settle = () => {
      this.#due -= 1;
    };
    this.#lastResult = given.then(settle, settle);
    return given;
  }
}
