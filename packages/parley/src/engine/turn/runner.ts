import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { TraceContext } from '../../model/call.ts';
import type { Priority } from '../../model/operations.ts';
import type { InterruptedState, TerminalState } from '../../model/states.ts';
import type { Message, Part, Task, TaskStatus } from '../../model/task.ts';
import type { EarlierTasksQuery } from '../context/conversations.ts';
import type { Awaitable, Owner } from '../ports.ts';
import type { RecordedTask } from '../replay/recorded-turns.ts';
import type { OwnTurnLimits } from './own-limits.ts';

export type { RecordedEntry, RecordedTask, RecordedTurn } from '../replay/recorded-turns.ts';

/** A message that the engine completes with an id, where it has none, the role and the task's ids. */
export interface MessageDraft {
  readonly messageId?: string | undefined;
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
}

/**
 * The end of a turn. `reply` is a bare message while no task exists, else a completion. An interrupted state that the
 * run has already set stays as it is, where there is no message.
 */
export type TurnEnd =
  | { readonly state: 'reply'; readonly message: MessageDraft; readonly metadata?: JsonObject | undefined }
  | {
      readonly state: TerminalState | InterruptedState;
      readonly message?: MessageDraft | undefined;
      /** Metadata of the status update. */
      readonly metadata?: JsonObject | undefined;
    };

export interface ChunkDraft {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Its name, description, extensions and metadata are added to an artifact that exists as well. */
  readonly amends?: boolean | undefined;
  /** Left out: appends if the artifact exists, else starts it. */
  readonly append?: boolean | undefined;
  readonly lastChunk?: boolean | undefined;
  /** A piece of a streamed string: it continues the text before it if that was streamed too. */
  readonly streamed: boolean;
}

/** The facts about a caller from its credentials; JSON, as the journal keeps it. */
export type TurnCaller = {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly claims: JsonObject;
};

/** The facts of a request that a run gets beside the message. */
export interface TurnRequest {
  /** The caller: the owner of the task, or a member of its context. */
  readonly owner: Owner;
  /** The caller's subject, where the task belongs to another one. */
  readonly member?: string | undefined;
  /** The caller, where its credentials tell more than the owner does. */
  readonly caller?: TurnCaller | undefined;
  /** The turn must be over by then, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** The limits of the turn, where they are not those of the server. */
  readonly limits?: OwnTurnLimits | undefined;
  readonly metadata: JsonObject;
  readonly extensions: readonly string[];
  readonly acceptedOutputModes: readonly string[];
  /** The number of model turns left for the task and all that it calls. */
  readonly maxTurns?: number | undefined;
  readonly priority?: Priority | undefined;
  /** The caller named no context: one was made for the task. */
  readonly opensContext?: boolean | undefined;
  /** The id of the status message that the message answers: refused where the task shows another by now. */
  readonly answers?: string | undefined;
  /** The caller runs whatever tool it is asked for and declares none. */
  readonly toolsUndeclared?: boolean | undefined;
  /** The caller's name for the work that this is part of. */
  readonly trace?: string | undefined;
  /** The caller wants to be told of the trace, in the words of its dialect. */
  readonly showsTrace?: boolean | undefined;
  /** The trace that the request is part of. */
  readonly traceContext?: TraceContext | undefined;
  /** The name of the dialect in which the request came. */
  readonly dialect?: string | undefined;
  /** Another run of the same server waits for this one, or for one that does. */
  readonly nested?: boolean | undefined;
}

export interface AskDetails {
  /**
   * Tells the question from others in the journal, where branches that run side by side may come to theirs in another order
   * when the run is resumed. Default: questions are counted as they come.
   */
  readonly name?: string | undefined;
  /** The question's name: a message that has it is the answer, whatever else is asked. */
  readonly id?: string | undefined;
  /** Milliseconds until the question is given up; the run then gets an InputError. */
  readonly timeout?: number | undefined;
  /** A message that came before the question is not taken as its answer. */
  readonly isFresh?: boolean | undefined;
}

/** The facts that a step gets about itself. */
interface StepInfo {
  /** The same however often the step is done, and for no other step: for what it calls to tell a repetition by. */
  readonly idempotencyKey: string;
}

export type StepAction = (info: StepInfo) => Promise<JsonValue | undefined>;

export interface StepShape {
  /** The action writes output, and nothing else of the run writes meanwhile: a repetition takes the output as written. */
  readonly writes?: boolean | undefined;
}

/** Writing returns undefined where the run need not wait. */
export interface RunOutput {
  status(
    message: MessageDraft | undefined,
    metadata?: JsonObject,
    state?: 'working' | InterruptedState,
  ): Promise<void> | undefined;
  chunk(chunk: ChunkDraft): Promise<void> | undefined;
  endArtifact(artifactId: string): Promise<void> | undefined;
  /** The task's metadata so far. */
  readonly metadata: JsonObject;
  /** Adds to the task's metadata. */
  addMetadata(metadata: JsonObject): void;
  /** Adds to the ends of the lists in members of the task's metadata. */
  extendMetadata(metadata: JsonObject): void;
  /** Resolves with the task as it is on disk with all that was written before; undefined while there is none. */
  committedTask(): Promise<Task | undefined>;
}

export interface RunSteps {
  /**
   * Does something once. In a run that can be resumed, the result is on disk before the promise resolves with it, and a
   * run that takes the place of this one gets it without doing the step again.
   */
  perform(name: string, action: StepAction, shape?: StepShape): Promise<JsonValue | undefined>;
}

export interface RunQuestions {
  /** A name for a question; a run that is resumed gets the same one again. */
  newId(): string;
  /**
   * Shows a question, beside those that are open, and resolves with as much of a message as answers it. A question for a
   * secret is shown alone: it waits for the others, and others wait for it.
   */
  ask(prompt: MessageDraft, state: 'input-required' | 'auth-required', details?: AskDetails): Promise<Message>;
}

/** The messages that come to the task while its run works. */
export interface RunMessages {
  /** Takes the oldest messages that wait, at most so many. */
  take(most: number): readonly Message[];
  /** Resolves with true when a message is there, or with false when the turn is over. */
  whenReady(): Promise<boolean>;
}

/** The context that the task is part of. */
export interface RunConversation {
  /** The tasks of the context that were there before this one, oldest first. */
  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]>;
  /**
   * Tasks of the context with what their turns recorded, oldest first: so many before another one, by its id; or the latest, and
   * this task up to now at the end.
   */
  recordedTasks(limit: number, before?: string): Promise<readonly RecordedTask[]>;
  /** The value that the context keeps under a key. A step, where the run can be resumed. */
  value(key: string): Promise<JsonValue | undefined>;
  /** Keeps a value in the context, or removes it. A step; resolves when the change is on disk. */
  change(key: string, value: JsonValue | undefined): Promise<void>;
  /** Lets other subjects use the context. A step; resolves when it is on disk. */
  share(subjects: readonly string[]): Promise<void>;
}

/**
 * One turn of an agent, as the engine offers it. Output is dropped once the turn is over; a call that must wait (because
 * too much is pending, or for an answer) is rejected with the signal's reason when the turn is aborted.
 */
export interface RunHandle {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  /** The trace that the run and all that it starts is part of: that of the request, or a span of it. */
  trace: TraceContext | undefined;
  /** 1 for the first run of a turn, one more for each run that takes the place of a lost one. */
  readonly attempt: number;
  /** The status that the task showed when the message came. Not known in the first turn, nor in one that is resumed. */
  readonly statusBefore: TaskStatus | undefined;
  readonly signal: AbortSignal;
  /** The turn was aborted: output is dropped from now on. */
  readonly isAborted: boolean;
  /** It was aborted here because another process takes it up: the tasks that it has started must go on. */
  readonly goesOnElsewhere: boolean;
  readonly deadline: Date;
  readonly output: RunOutput;
  readonly steps: RunSteps;
  readonly questions: RunQuestions;
  readonly messages: RunMessages;
  readonly conversation: RunConversation;
  /** A run that can be resumed gets the same ids for the same things again. */
  newId(kind?: string): string;
  /** Calls back after `milliseconds`, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Resolves in a later turn of the loop. */
  nextTurn(): Promise<void>;
  /** Writes a line to the server's log. */
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
  /** The handler may return the message that the task ends with. */
  onCancel(handler: CancelHandler): void;
  /** Metadata of the status with which the task ends in this turn, however it ends; a later call takes its place. */
  atEnd(metadata: JsonObject): void;
}

export type CancelHandler = () => Awaitable<MessageDraft | undefined | void>;

/** Something that can take a turn: an agent. */
export interface Runner {
  readonly name: string;
  /** A run that was lost begins again, with what it had recorded. */
  readonly resumable?: boolean | undefined;
  /** The text with which a message to a working task is refused; undefined: the message waits. */
  readonly refuseWhileWorking?: string | undefined;
  run(handle: RunHandle): Promise<TurnEnd>;
  /** Called when a task is canceled that has no run, because it waits for its caller. May return its last message. */
  canceled?: ((task: Pick<Task, 'id' | 'contextId'>) => Awaitable<MessageDraft | undefined>) | undefined;
}
