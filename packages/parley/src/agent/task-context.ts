import type { A2AClient } from '../client/client.ts';
import type { Content } from '../client/message/content.ts';
import type { JsonObject, JsonValue } from '../model/basics/json.ts';
import type { AgentCard } from '../model/card.ts';
import type { ToolDeclaration } from '../model/extensions/caller-tools.ts';
import type { CallChain } from '../model/extensions/calls.ts';
import type { ShapesOfAgent, SkillCall, SkilledAgent, SkillOutput, SkillShape } from '../model/extensions/skills.ts';
import type { Priority } from '../model/operations.ts';
import type { SchemaSource } from '../model/schema/schema-check.ts';
import type { BytesPart, LinkPart, Message, Part, Task, TaskStatus } from '../model/task.ts';
import type { AgentCall, AgentCallOptions, CallTarget } from './calls.ts';
import type { Conversation } from './conversation.ts';
import type { FetchedFile, FetchFileOptions } from './files.ts';
import type { MessageContent } from './outcomes.ts';
import type { CheckedToolCallOptions, ToolCallOptions } from './questions/caller-tools.ts';
import type { ChoiceQuestion, SchemaAnswer, SchemaQuestion, TextQuestion } from './questions/questions.ts';
import type { Credential, RequireAuthOptions } from './questions/task-auth.ts';
import type { AgentResult } from './result.ts';
import type { UpdateOutput } from './run/update-outputs.ts';

/** A chunk of an artifact with all that can be said about it; `chunk()` makes one. */
export interface Chunk {
  readonly kind: 'chunk';
  readonly parts: readonly Part[];
  /** The artifact that the chunk belongs to. Default: the task's default artifact. */
  readonly artifactId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  /** `false` starts the artifact or replaces it; left out = starts it if it is new, else appends. */
  readonly append?: boolean | undefined;
  /** Nothing more comes for this artifact. */
  readonly lastChunk?: boolean | undefined;
}

/** The outputs that an agent may yield, write or return. A string continues the text before it in its artifact. */
export type Output = string | Part | readonly Part[] | Chunk | AgentResult | UpdateOutput;

export interface ArtifactOptions {
  /** The id of the artifact. Default: made by the server. */
  readonly artifactId?: string | undefined;
  /** The name of the artifact, for people. */
  readonly name?: string | undefined;
  /** A description of the artifact, for people. */
  readonly description?: string | undefined;
  /** The URIs of extensions that the artifact uses. */
  readonly extensions?: readonly string[] | undefined;
  /** Facts about the artifact, for programs. */
  readonly metadata?: JsonObject | undefined;
}

/** Writes one artifact. It ends when the run returns. */
export interface ArtifactWriter {
  readonly artifactId: string;
  /** Appends to the artifact. Waits while the task has too much that is not yet committed. */
  write(output: string | Part | readonly Part[]): Promise<void>;
  /** Ends the artifact, with a last piece if one is given. */
  end(output?: string | Part | readonly Part[]): Promise<void>;
}

/** Messages that came while the run was working. */
export interface IncomingMessages extends AsyncIterable<Message> {
  /** Takes those that are there now, without waiting. */
  take(): readonly Message[];
}

/** The caller that a task belongs to. */
export interface User {
  /** '' for an anonymous caller. */
  readonly subject: string;
  /** '' where the caller belongs to no tenant. */
  readonly tenant: string;
  /** The scopes of the caller's credentials; empty for an anonymous caller. */
  readonly scopes: readonly string[];
  /** Further facts of the credentials, e.g. the claims of a token. */
  readonly claims: JsonObject;
}

export interface StatusOptions {
  /** Metadata of the status update. */
  readonly metadata?: JsonObject | undefined;
  /**
   * Another state to show while the run goes on, if the run waits for something that does not come as a message.
   * Default: `working`.
   */
  readonly state?: 'working' | 'input-required' | 'auth-required' | undefined;
}

export interface AskOptions {
  /** The state of the task while it waits. Default `input-required`. */
  readonly state?: 'input-required' | 'auth-required' | undefined;
}

/** Attempts of a step, and the delays between them. */
export interface StepRetry {
  /** Attempts in all. Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt. Default 500. */
  readonly firstDelay?: number | undefined;
  /** Multiplies the delay after each further failure. Default 2. */
  readonly factor?: number | undefined;
}

/** Facts about a step, for its action. */
export interface StepInfo {
  /**
   * The same however often this step of this task is done, and for no other: printable ASCII without spaces. Give it to
   * whatever the step calls, so that a repetition is recognized there.
   */
  readonly idempotencyKey: string;
  /** 1, 2, … with `retry`. */
  readonly attempt: number;
}

export interface StepOptions {
  /** Retries a step that fails; `true` uses the defaults. Without it, the step runs once. */
  readonly retry?: StepRetry | boolean | undefined;
}

/** The task of a run: its message and facts, and the ways to write, ask and call. */
export interface TaskContext<SkillId extends string = string, Input = unknown> {
  readonly id: string;
  readonly contextId: string;
  /** The conversation: what was said before in the same context, and what was kept. */
  readonly context: Conversation;
  /** The message that started this turn. */
  readonly message: Message;
  /** Its text. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** The earlier messages of this task, oldest first. */
  readonly history: readonly Message[];
  /**
   * The status of the task when the message of this turn arrived, e.g. the question that it answers. Undefined in the
   * first turn, and in a run that was resumed.
   */
  readonly previousStatus: TaskStatus | undefined;
  /** The metadata of the request. */
  readonly metadata: JsonObject;
  readonly user: User;
  /** Aborted when the task is canceled, runs out of time, or the server stops. */
  readonly signal: AbortSignal;
  readonly deadline: Date;
  /** The model turns that the run and the agents it calls may use; undefined for no limit. */
  readonly maxTurns: number | undefined;
  /** Priority: `low`, `normal` or `high`. Waiting runs of a higher priority begin first. */
  readonly priority: Priority;
  /** The skill that the caller wants: `message.metadata.skillId`, or the agent's only one. */
  readonly skill: SkillId | undefined;
  /**
   * The data that the skill was given, as its `input` schema makes it; undefined where the skill has none. In later
   * turns it is still what the task began with.
   */
  readonly input: Input;
  /** The extensions that are active for this request. */
  readonly extensions: readonly string[];
  /** Media types that the caller can take; empty = anything. */
  readonly acceptedOutputModes: readonly string[];

  /** Sets the state to working, with a message or without one. */
  status(message?: MessageContent, options?: StatusOptions): Promise<void>;
  /**
   * Says in one line what the task is about or has come to, for lists of tasks: it stands in the task's metadata under
   * `urn:parley:ext:summary:v1`. At most 200 characters; an empty text takes it back.
   */
  summary(text: string): void;
  /** Streams to the default artifact, or with a Chunk to any. */
  write(output: Output): Promise<void>;
  artifact(options?: ArtifactOptions): ArtifactWriter;
  /**
   * Gets the content of a file of a message: its bytes, or what its address leads to. The server checks the address: a
   * link of a caller does not reach private networks. A file that cannot be had fails the task, and tells the caller why.
   */
  fetchFile(part: BytesPart | LinkPart, options?: FetchFileOptions): Promise<FetchedFile>;
  /** Asks the caller and waits for an answer that fits a schema, is one of some choices, or comes in time. */
  ask<Schema extends SchemaSource, const Late = never>(
    question: SchemaQuestion<Schema, Late>,
  ): Promise<SchemaAnswer<Schema> | Late>;
  ask<const Value extends string, const Late = never>(question: ChoiceQuestion<Value, Late>): Promise<Value | Late>;
  ask<const Late = never>(question: TextQuestion<Late>): Promise<string | Late>;
  /** Asks the caller and waits for the answer's text. A restart loses the run that waits, unless the agent is resumable. */
  ask(prompt: MessageContent, options?: AskOptions): Promise<string>;
  /**
   * Waits in auth-required for a credential, which comes as a message or by `server.authorizeTask`. It is neither stored
   * in the history nor shown to anybody.
   */
  requireAuth(options?: RequireAuthOptions): Promise<Credential>;
  /** The tools that the caller has declared. */
  readonly tools: readonly ToolDeclaration[];
  /**
   * Has the caller run one of its tools; the result as JSON, unless a schema makes something else of it. Fails with
   * TOOL_NOT_DECLARED or TOOL_FAILED (`InputError`).
   */
  tool<Schema extends SchemaSource>(
    name: string,
    args: JsonValue | undefined,
    options: CheckedToolCallOptions<Schema>,
  ): Promise<SchemaAnswer<Schema>>;
  tool<Result extends JsonValue = JsonValue>(
    name: string,
    args?: JsonValue,
    options?: ToolCallOptions,
  ): Promise<Result>;
  /**
   * Does something that must not be done twice. Where the agent is resumable, the result, which must be JSON, is on disk
   * before the run goes on, and a run that takes the place of this one gets it instead of doing it again. A step that
   * was interrupted before that is done again: see `idempotencyKey`.
   */
  step<Result extends JsonValue | undefined | void>(
    name: string,
    action: (info: StepInfo) => Result | Promise<Result>,
    options?: StepOptions,
  ): Promise<Result>;
  /**
   * Calls another agent, at once. Its task refers to this one, ends when this one is canceled, and can be found from it.
   * Await the call for the task when its turn has ended, or read it as a stream.
   *
   * @example
   * const analysis = await task.call(analyst, { skill: 'report', input: { quarter: 'Q4' } });
   * const figures = dataOf(analysis); // typed by the schema of the skill's output
   */
  call<Target extends SkilledAgent, const Id extends keyof ShapesOfAgent<Target> & string>(
    target: Target | A2AClient<Target>,
    message: SkillCall<Id, ShapesOfAgent<Target>[Id]>,
    options?: AgentCallOptions,
  ): AgentCall<SkillOutput<ShapesOfAgent<Target>[Id]>>;
  call(target: string | URL | AgentCard, message: SkillCall, options?: AgentCallOptions): AgentCall;
  call(target: CallTarget, message: Content, options?: AgentCallOptions): AgentCall;
  /** The chain of calls that led to this message; undefined where no agent sent it. */
  readonly chain: CallChain | undefined;
  messages(): IncomingMessages;
  /** The task as callers see it, with all that was written so far; undefined while there is none. */
  snapshot(): Promise<Task | undefined>;
  /** Writes a line to the server's log; the names of the task and the agent are added. */
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  /**
   * Called when the task is canceled; may write artifacts for up to two seconds before the task ends. The task
   * ends with the message that it returns.
   */
  onCancel(handler: () => void | MessageContent | Promise<void | MessageContent | undefined>): void;
}

/**
 * The context of an agent with these skills: `task.skill` tells which one it is, and with it the type of `task.input`.
 * With one skill there is nothing to tell apart; with several the caller may have named none.
 */
export type SkillTask<Shapes extends object> = string extends keyof Shapes
  ? TaskContext
  :
      | { [Id in keyof Shapes & string]: TaskOf<Id, Shapes[Id]> }[keyof Shapes & string]
      | (IsUnion<keyof Shapes> extends true ? TaskContext<never, undefined> : never);

type TaskOf<Id extends string, Shape> = TaskContext<Id, Shape extends SkillShape ? Shape['input'] : unknown> & {
  readonly skill: Id;
};

type IsUnion<Type, Member = Type> = [Type] extends [never]
  ? false
  : Member extends unknown
    ? [Type] extends [Member]
      ? false
      : true
    : false;

/** A chunk with explicit control over its artifact. */
export function chunk(parts: string | Part | readonly Part[], options: Omit<Chunk, 'kind' | 'parts'> = {}): Chunk {
  return { kind: 'chunk', parts: toParts(parts), ...options };
}

function toParts(content: string | Part | readonly Part[]): readonly Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return isPart(content) ? [content] : content;
}

function isPart(content: Part | readonly Part[]): content is Part {
  return !Array.isArray(content);
}
