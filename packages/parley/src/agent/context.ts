import type { Content } from '../client/content.ts';
import type { TaskStream } from '../client/task-stream.ts';
import type { CallChain } from '../model/calls.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import type { Message, Part } from '../model/task.ts';
import type { AgentCallOptions, CallTarget } from './calls.ts';
import type { MessageContent } from './outcomes.ts';

/** A chunk of an artifact with all that can be said about it; `chunk()` makes one. */
export interface Chunk {
  readonly kind: 'chunk';
  readonly parts: readonly Part[];
  /** Which artifact; the task's default artifact if left out. */
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

/** What an agent may yield, write or return. A string continues the text before it in its artifact. */
export type Output = string | Part | readonly Part[] | Chunk;

export interface ArtifactOptions {
  /** Left out: made by the server. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** Writes one artifact. It ends by itself when the run returns. */
export interface ArtifactWriter {
  readonly id: string;
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

export interface User {
  /** '' = anonymous. */
  readonly subject: string;
  /** '' = none. */
  readonly tenant: string;
}

export interface AskOptions {
  /** What the task shows while it waits. Default: `input-required`. */
  readonly state?: 'input-required' | 'auth-required' | undefined;
}

/** How often a step is tried, and how long it waits before it is tried again. */
export interface StepRetry {
  /** Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt. Default 500. */
  readonly delay?: number | undefined;
  /** By how much each wait is longer than the one before. Default 2. */
  readonly factor?: number | undefined;
}

export interface StepOptions {
  /** `true` = the defaults. Left out: the step is tried once. */
  readonly retry?: StepRetry | boolean | undefined;
}

/** What a run has at hand. */
export interface TaskContext<SkillId extends string = string> {
  readonly id: string;
  readonly contextId: string;
  /** The message that started this turn. */
  readonly message: Message;
  /** Its text. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** What was said in this task before this message, oldest first. */
  readonly history: readonly Message[];
  /** The metadata of the request. */
  readonly metadata: JsonObject;
  readonly user: User;
  /** Aborted when the task is canceled, runs out of time, or the server stops. */
  readonly signal: AbortSignal;
  readonly deadline: Date;
  /** The skill that the caller wants: `message.metadata.skillId`, or the agent's only one. */
  readonly skill: SkillId | undefined;
  /** The extensions that are active for this request. */
  readonly extensions: readonly string[];
  /** Media types that the caller can take; empty = anything. */
  readonly acceptedOutputModes: readonly string[];

  /** Sets the state to working, with a message. */
  status(message: MessageContent, options?: { readonly metadata?: JsonObject }): Promise<void>;
  /** Streams to the default artifact, or with a Chunk to any. */
  write(output: Output): Promise<void>;
  artifact(options?: ArtifactOptions): ArtifactWriter;
  /** Asks the caller and waits for the answer's text. A restart loses the run that waits, unless the agent is resumable. */
  ask(prompt: MessageContent, options?: AskOptions): Promise<string>;
  /**
   * Does something that must not be done twice. Where the agent is resumable, the result, which must be JSON, is on disk
   * before the run goes on, and a run that takes the place of this one gets it instead of doing it again.
   */
  step<Result extends JsonValue | undefined | void>(
    name: string,
    action: () => Result | Promise<Result>,
    options?: StepOptions,
  ): Promise<Result>;
  /**
   * Calls another agent. Its task refers to this one, ends when this one is canceled, and can be found from it. Nothing
   * is sent until the stream is read or one of its promises is asked for.
   */
  call(target: CallTarget, message: Content, options?: AgentCallOptions): TaskStream;
  /** How this message came here, where another agent sent it. */
  readonly chain: CallChain | undefined;
  messages(): IncomingMessages;
  /** Called when the task is canceled; may write artifacts for up to two seconds before the task ends. */
  onCancel(handler: () => void | Promise<void>): void;
}

/** A chunk with explicit control over its artifact. */
export function chunk(parts: string | Part | readonly Part[], options: Omit<Chunk, 'kind' | 'parts'> = {}): Chunk {
  return { kind: 'chunk', parts: toParts(parts), ...options };
}

export function toParts(content: string | Part | readonly Part[]): readonly Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return isPart(content) ? [content] : content;
}

function isPart(content: Part | readonly Part[]): content is Part {
  return !Array.isArray(content);
}
