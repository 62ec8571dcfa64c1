import type { Content } from '../client/content.ts';
import type { TaskStream } from '../client/task-stream.ts';
import type { RunHandle } from '../engine/runner.ts';
import { type CallChain, chainOf } from '../model/calls.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { textOf } from '../model/parts.ts';
import type { Message, Part } from '../model/task.ts';
import type { AgentCallOptions, AgentCalls, CallTarget } from './calls.ts';
import type {
  ArtifactOptions,
  ArtifactWriter,
  AskOptions,
  IncomingMessages,
  Output,
  StepOptions,
  TaskContext,
  User,
} from './context.ts';
import type { MessageContent } from './outcomes.ts';
import { checkedId, chunkDraft, messageDraft, metadataOf, stepResult } from './outputs.ts';
import { retried } from './retry.ts';

type Pieces = string | Part | readonly Part[];

const MOST_EMPTY_OUTPUTS = 64;

/** What an agent sees of its turn. */
export class RunContext implements TaskContext {
  readonly #handle: RunHandle;
  readonly #calls: AgentCalls;
  readonly skill: string | undefined;
  #defaultArtifact: string | undefined;
  #emptyOutputs = 0;

  constructor(handle: RunHandle, skill: string | undefined, calls: AgentCalls) {
    this.#handle = handle;
    this.#calls = calls;
    this.skill = skill;
  }

  get id(): string {
    return this.#handle.taskId;
  }

  get contextId(): string {
    return this.#handle.contextId;
  }

  get message(): Message {
    return this.#handle.message;
  }

  get text(): string {
    return textOf(this.#handle.message);
  }

  get parts(): readonly Part[] {
    return this.#handle.message.parts;
  }

  get history(): readonly Message[] {
    return this.#handle.history;
  }

  get metadata(): JsonObject {
    return this.#handle.request.metadata;
  }

  get user(): User {
    return this.#handle.request.owner;
  }

  get signal(): AbortSignal {
    return this.#handle.signal;
  }

  /** Without making the signal, which most agents never look at. */
  get isAborted(): boolean {
    return this.#handle.isAborted;
  }

  get deadline(): Date {
    return this.#handle.deadline;
  }

  get extensions(): readonly string[] {
    return this.#handle.request.extensions;
  }

  get acceptedOutputModes(): readonly string[] {
    return this.#handle.request.acceptedOutputModes;
  }

  status(message: MessageContent, options: { readonly metadata?: JsonObject } = {}): Promise<void> {
    return quiet(() => this.#handle.status(messageDraft(message), metadataOf(options.metadata)));
  }

  write(output: Output): Promise<void> {
    return quiet(() => this.emit(output));
  }

  /** `write` without a promise where there is no need to wait: the path of every yielded chunk. */
  emit(output: Output): Promise<void> | undefined {
    this.#defaultArtifact ??= this.#handle.newId();
    if (typeof output === 'string' && output !== '') {
      const parts: readonly Part[] = [{ kind: 'text', text: output }];
      return this.#handle.chunk({ artifactId: this.#defaultArtifact, parts, streamed: true });
    }
    const draft = chunkDraft(output, { id: this.#defaultArtifact });
    return draft ? this.#handle.chunk(draft) : this.#nothing();
  }

  /** What writes nothing is never held back by a commit: now and then it must let the loop turn. */
  #nothing(): Promise<void> | undefined {
    this.#emptyOutputs += 1;
    return this.#emptyOutputs % MOST_EMPTY_OUTPUTS === 0 ? this.#handle.nextTurn() : undefined;
  }

  artifact(options: ArtifactOptions = {}): ArtifactWriter {
    const id = checkedId(options.id) ?? this.#handle.newId();
    const handle = this.#handle;
    const write = (output: Pieces, lastChunk: boolean) => {
      const draft = chunkDraft(output, { ...options, id });
      if (draft) return handle.chunk({ ...draft, lastChunk });
      return lastChunk ? handle.endArtifact(id) : undefined;
    };
    return {
      id,
      write: (output) => quiet(() => write(output, false)),
      end: (output = '') => quiet(() => write(output, true)),
    };
  }

  async ask(prompt: MessageContent, options: AskOptions = {}): Promise<string> {
    return textOf(await this.#handle.ask(messageDraft(prompt), options.state ?? 'input-required'));
  }

  get chain(): CallChain | undefined {
    return chainOf(this.#handle.message.metadata);
  }

  call(target: CallTarget, message: Content, options: AgentCallOptions = {}): TaskStream {
    return this.#calls.call(this.#handle, target, message, options);
  }

  async step<Result extends JsonValue | undefined | void>(
    name: string,
    action: () => Result | Promise<Result>,
    options: StepOptions = {},
  ): Promise<Result> {
    if (typeof name !== 'string' || name === '') throw new TypeError('A step needs a name');
    const perform = () => retried(async () => stepResult(await action(), name), options.retry, this.#handle);
    return (await this.#handle.step(name, perform)) as Result;
  }

  messages(): IncomingMessages {
    const handle = this.#handle;
    return {
      take: () => handle.takeMessages(Number.POSITIVE_INFINITY),
      // One at a time: a loop that is left must not take messages with it that it has not seen.
      async *[Symbol.asyncIterator]() {
        while (await handle.messageReady()) yield* handle.takeMessages(1);
      },
    };
  }

  onCancel(handler: () => void | Promise<void>): void {
    this.#handle.onCancel(handler);
  }
}

/** A promise that may be left alone: output that nobody waits for must not bring the process down. */
function quiet(action: () => Promise<void> | undefined): Promise<void> {
  let result: Promise<void>;
  try {
    result = action() ?? Promise.resolve();
  } catch (error) {
    result = Promise.reject(error);
  }
  result.catch(() => {});
  return result;
}
