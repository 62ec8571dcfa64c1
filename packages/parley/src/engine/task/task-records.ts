import type { TaskLog } from '../log/task-log.ts';
import type { TaskWriter } from '../log/task-writer.ts';
import type { JournalBody, OutputMark, Replay } from '../replay/replay.ts';
import type { TurnRequest } from '../turn/runner.ts';

/** The journal of a task: the records by which another process can take an unfinished turn up. */
export class TaskRecords {
  /** A turn that an earlier process left unfinished and that nothing has taken up yet. */
  unfinished: Replay | undefined;
  readonly #log: TaskLog;
  readonly #writer: TaskWriter;
  /** The amount that the current turn has written. */
  readonly #written: () => number | undefined;

  constructor(log: TaskLog, writer: TaskWriter, written: () => number | undefined, unfinished: Replay | undefined) {
    this.#log = log;
    this.#writer = writer;
    this.#written = written;
    this.unfinished = unfinished;
  }

  /** Adds a record to the next commit; the caller marks the writer. */
  append(body: JournalBody): void {
    this.#log.record({ ...body, ...this.#mark() });
  }

  /** A secret's metadata may be secret too. */
  appendTurn(messageSeq: number, turn: TurnRequest, isSecret = false): void {
    const { owner: _, ...request } = turn;
    this.append({ kind: 'turn', messageSeq, request: isSecret ? { ...request, metadata: {} } : request });
  }

  /** `step` is undefined for a question of a turn that cannot be resumed: nothing is recorded then. */
  appendAnswered(step: string | undefined, messageSeq: number, waited?: number): void {
    if (step !== undefined) this.append({ kind: 'answered', step, messageSeq, waited });
  }

  /** Adds a record and resolves when it is on disk. */
  commit(body: JournalBody): Promise<void> {
    this.append(body);
    this.#writer.mark();
    return this.#writer.whenRecorded();
  }

  /** Resolves when all that is recorded by now is on disk, the task itself included. */
  whenCommitted(): Promise<void> {
    const { recorded, committedRecords } = this.#log.pending;
    return recorded > committedRecords ? this.#writer.whenRecorded() : Promise.resolve();
  }

  /** The amount that the turn has written; while nothing runs, the one of the last record. */
  #mark(): OutputMark {
    const { unfinished } = this;
    return unfinished
      ? { written: unfinished.order.at(-1)?.written, upTo: unfinished.upTo }
      : { written: this.#written() };
  }
}
