import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { InterruptedState } from '../../model/states.ts';
import type { Artifact, Message, Task, TaskStatus } from '../../model/task.ts';
import type { JournalBody } from '../replay/replay.ts';
import type { ArtifactEnd, TurnJournal } from '../replay/turn-journal.ts';
import type { EarlierTasksQuery } from '../task/conversations.ts';
import type { TimedRun } from './run-timer.ts';
import type { ChunkDraft, MessageDraft, TurnRequest } from './runner.ts';

/** A message of the log that a run has not taken yet. */
export interface QueuedMessage {
  readonly seq: number;
  readonly message: Message;
  /** The request that brought it. */
  readonly request: TurnRequest;
}

export interface QuestionDetails {
  /** Where it is recorded. */
  readonly step: string | undefined;
  /** In milliseconds since the epoch. */
  readonly answerBy: number | undefined;
  readonly isFresh: boolean;
}

/** What a turn asks of the actor that it runs for. */
export interface TurnHost extends TimedRun {
  readonly taskId: string;
  readonly contextId: string;
  newId(): string;
  /** Appends a status in the middle of the turn; makes the task first if there is none. */
  show(
    state: 'working' | InterruptedState,
    message: MessageDraft | undefined,
    metadata?: JsonObject,
  ): Promise<void> | undefined;
  chunk(chunk: ChunkDraft): Promise<void> | undefined;
  endArtifact(artifactId: string): Promise<void> | undefined;
  /** Appends the question and takes a message that is already waiting as its answer, unless that must be a new one. */
  question(
    prompt: MessageDraft,
    state: 'input-required' | 'auth-required',
    details: QuestionDetails,
  ): QueuedMessage | undefined;
  /** The question that waits was not answered in time. */
  unanswered(step: string | undefined): void;
  /** Takes a message that came since the run was taken up as the answer to a question that was open then. */
  takeAnswer(step: string): QueuedMessage | undefined;
  /** Takes the oldest waiting messages, at most so many. `take`: where that is recorded. */
  takeMessages(most: number, take: number | undefined): readonly Message[];
  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]>;
  contextValue(key: string): Promise<JsonValue | undefined>;
  /** Makes the task if there is none; resolves when the change is on disk. */
  changeContext(key: string, value: JsonValue | undefined): Promise<void>;
  /** Undefined while there is none. */
  committedTask(): Promise<Task | undefined>;
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
  readonly taskMetadata: JsonObject;
  note(metadata: JsonObject): void;
  /** Makes the task if there is none. */
  makeTask(): void;
  /** Resolves when all that is recorded by now is on disk, the task itself included. */
  whenRecorded(): Promise<void>;
  /** Resolves when it is on disk. */
  record(body: JournalBody): Promise<void>;
  /** Puts an artifact back to an earlier content. */
  reset(artifact: Artifact, end: ArtifactEnd): void;
  /** Says how an artifact was left by a run before. */
  leave(artifactId: string, end: ArtifactEnd): void;
  readonly hasMessages: boolean;
}

export interface TurnStart {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  /** What the task showed before it. */
  readonly found?: TaskStatus | undefined;
  /** The seq of the message. */
  readonly messageSeq: number;
  /** Of a turn that can be resumed. */
  readonly journal?: TurnJournal | undefined;
}
