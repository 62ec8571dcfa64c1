import type { Message } from '../../model/task.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import type { RunLife } from './run-life.ts';
import type { RunTimer } from './run-timer.ts';
import type { RunMessages } from './runner.ts';
import type { TurnTask } from './turn-task.ts';

/** Hands a run the messages that wait in its task's inbox, or those that the run before it took. */
export class TurnMessages implements RunMessages {
  readonly #task: TurnTask;
  readonly #life: RunLife;
  readonly #timer: RunTimer;
  readonly #journal: TurnJournal | undefined;
  #arrival: PromiseWithResolvers<boolean> | undefined;

  constructor(task: TurnTask, life: RunLife, timer: RunTimer, journal: TurnJournal | undefined) {
    this.#task = task;
    this.#life = life;
    this.#timer = timer;
    this.#journal = journal;
  }

  /** The run waits for the next message. */
  get areAwaited(): boolean {
    return this.#arrival !== undefined;
  }

  take(most: number): readonly Message[] {
    this.#timer.touch();
    if (this.#life.phase !== 'running') return [];
    const repeated = this.#journal?.take();
    return repeated?.messages ?? this.#takeNew(most, repeated?.take);
  }

  whenReady(): Promise<boolean> {
    if (this.#life.phase !== 'running') return Promise.resolve(false);
    const isRepeated = this.#journal?.repeatsTake === true;
    if (isRepeated || (this.#task.inbox.size > 0 && !this.#journal?.isReplaying)) return Promise.resolve(true);
    this.#arrival ??= Promise.withResolvers();
    return this.#arrival.promise;
  }

  /** A message has come. */
  notify(): void {
    if (this.#journal?.isReplaying) return;
    this.#arrival?.resolve(true);
    this.#arrival = undefined;
  }

  /** The turn is over. */
  close(): void {
    this.#arrival?.resolve(false);
  }

  /** `take`: the number under which the messages are recorded. */
  #takeNew(most: number, take: number | undefined): readonly Message[] {
    const { inbox, records, writer } = this.#task;
    const taken = inbox.take(most);
    if (take !== undefined && taken.length > 0) {
      records.append({ kind: 'taken', take, seqs: taken.map(({ seq }) => seq) });
      writer.mark();
    }
    return taken.map(({ message }) => message);
  }
}
