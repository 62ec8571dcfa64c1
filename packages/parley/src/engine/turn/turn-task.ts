import type { Message, TaskStatus } from '../../model/task.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { TaskWriter } from '../log/task-writer.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import type { Inbox } from '../task/messages/inbox.ts';
import type { SecretWords } from '../task/secret-words.ts';
import type { TaskOutput } from '../task/task-output.ts';
import type { TaskRecords } from '../task/task-records.ts';
import type { TaskServices } from '../task/task-services.ts';
import type { TimedTask } from './run-timer.ts';
import type { TurnRequest } from './runner.ts';

/** The parts of a task that its turns use. */
export interface TurnTask extends TimedTask {
  readonly services: TaskServices;
  readonly log: TaskLog;
  readonly writer: TaskWriter;
  readonly output: TaskOutput;
  readonly inbox: Inbox;
  readonly records: TaskRecords;
  /** The secrets that the task was told. */
  readonly secrets: SecretWords;
  /** A turn of the task is under way. */
  readonly isRunning: boolean;
  /**
   * Lets go of the run that waits for an answer, until the answer comes or is too late. Returns false where the run
   * does something else meanwhile, or could not be taken up as it is.
   */
  park(answerBy: number | undefined): boolean;
}

export interface TurnStart {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  /** The status that the task showed when the message came. */
  readonly statusBefore?: TaskStatus | undefined;
  /** The seq of the message. */
  readonly messageSeq: number;
  /** Only in a turn that can be resumed. */
  readonly journal?: TurnJournal | undefined;
  /** The last seq of the log when the turn was taken up from an earlier process. */
  readonly takenUpAt?: number | undefined;
}
