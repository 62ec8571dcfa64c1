import type { Content } from '../../client/message/content.ts';
import type { ChunkDraft, RunHandle } from '../../engine/turn/runner.ts';
import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import { leavable } from '../../model/basics/leavable.ts';
import type { ToolDeclaration } from '../../model/extensions/caller-tools.ts';
import { type CallChain, chainOf } from '../../model/extensions/calls.ts';
import type { SkillCall } from '../../model/extensions/skills.ts';
import { summaryMark, summaryOf } from '../../model/extensions/summary.ts';
import type { Priority } from '../../model/operations.ts';
import { textOf } from '../../model/parts.ts';
import type { SchemaSource } from '../../model/schema/schema-check.ts';
import type { BytesPart, LinkPart, Message, Part, Task, TaskStatus } from '../../model/task.ts';
import type { AgentCall, AgentCallOptions, AgentCalls, CallTarget } from '../calls.ts';
import { type Conversation, conversationOf } from '../conversation.ts';
import { publishedOf } from '../executor/published.ts';
import { TurnOutput } from '../executor/turn-output.ts';
import { type FetchedFile, type FetchFileOptions, type FetchLink, fetchFile } from '../files.ts';
import type { MessageContent, Outcome } from '../outcomes.ts';
import { callTool, type ToolCallOptions, toolsOf } from '../questions/caller-tools.ts';
import { askInWords, askQuestion, isQuestion, type Question } from '../questions/questions.ts';
import { type Credential, type RequireAuthOptions, requireAuth } from '../questions/task-auth.ts';
import { type AgentResult, isAgentResult } from '../result.ts';
import type { RunListener } from '../run-event.ts';
import type { OutputCheck, SkillStart } from '../skills/typed-skills.ts';
import type {
  ArtifactOptions,
  ArtifactWriter,
  AskOptions,
  IncomingMessages,
  Output,
  StatusOptions,
  StepInfo,
  StepOptions,
  TaskContext,
  User,
} from '../task-context.ts';
import { INSIDE, type RunInside } from './inside.ts';
import { checkedId, chunkDraft, messageDraft, metadataOf, stepResult } from './outputs.ts';
import { recordedStep } from './recorded-step.ts';
import { retried } from './retry.ts';
import { inNewerWords, isLastUpdate, isUpdateOutput, type UpdateOutput } from './update-outputs.ts';

type Pieces = string | Part | readonly Part[];

const MOST_EMPTY_OUTPUTS = 64;

/** The ways from a run to what is outside of its task. */
export interface RunReach {
  readonly calls: AgentCalls;
  readonly fetchLink: FetchLink;
  /** The name in the agent's address. */
  readonly agent: string;
  /** The listener for events of runs; undefined if there is none. */
  readonly listener?: (() => RunListener | undefined) | undefined;
  /** Does a step that is not recorded yet. Default: at once. */
  readonly performStep?: PerformStep | undefined;
}

export type PerformStep = <Result>(handle: RunHandle, name: string, perform: () => Promise<Result>) => Promise<Result>;

/** The turn, as its agent sees it. */
export class RunContext implements TaskContext {
  readonly #handle: RunHandle;
  readonly #reach: RunReach;
  readonly skill: string | undefined;
  readonly input: unknown;
  readonly #output: OutputCheck | undefined;
  #conversation: Conversation | undefined;
  #defaultArtifact: string | undefined;
  #emptyOutputs = 0;
  #updates: TurnOutput | undefined;
  #isSaid = false;

  constructor(handle: RunHandle, { skill, input, output }: SkillStart, reach: RunReach) {
    this.#handle = handle;
    this.#reach = reach;
    this.skill = skill;
    this.input = input;
    this.#output = output;
  }

  get [INSIDE](): RunInside {
    const { agent, listener } = this.#reach;
    const emit = (output: Output) => this.emit(output);
    return { handle: this.#handle, agent, marks: this.#output?.marks, listener: listener?.(), emit };
  }

  get id(): string {
    return this.#handle.taskId;
  }

  get contextId(): string {
    return this.#handle.contextId;
  }

  get context(): Conversation {
    this.#conversation ??= conversationOf(this.#handle);
    return this.#conversation;
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

  get previousStatus(): TaskStatus | undefined {
    return this.#handle.statusBefore;
  }

  get metadata(): JsonObject {
    return this.#handle.request.metadata;
  }

  get user(): User {
    const { owner, caller } = this.#handle.request;
    return caller ? { ...owner, ...caller } : { ...owner, scopes: [], claims: {} };
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

  get maxTurns(): number | undefined {
    return this.#handle.request.maxTurns;
  }

  get priority(): Priority {
    return this.#handle.request.priority ?? 'normal';
  }

  get extensions(): readonly string[] {
    return this.#handle.request.extensions;
  }

  get acceptedOutputModes(): readonly string[] {
    return this.#handle.request.acceptedOutputModes;
  }

  status(message?: MessageContent, { metadata, state }: StatusOptions = {}): Promise<void> {
    const draft = () => (message === undefined ? undefined : messageDraft(message));
    return quiet(() => this.#handle.output.status(draft(), metadataOf(metadata), state));
  }

  summary(text: string): void {
    if (typeof text !== 'string') throw new TypeError('task.summary takes a text');
    const mark = summaryMark(text);
    // A run that is resumed says it again.
    if (summaryOf(this.#handle.output.metadata) === summaryOf(mark)) return;
    this.#handle.output.addMetadata(mark);
  }

  write(output: Output): Promise<void> {
    return quiet(() => this.emit(output));
  }

  /** `write` without a promise where there is no need to wait: the path of every yielded chunk. */
  emit(output: Output): Promise<void> | undefined {
    this.#defaultArtifact ??= this.#handle.newId();
    if (typeof output === 'string' && output !== '') {
      const parts: readonly Part[] = [{ kind: 'text', text: output }];
      const extensions = this.#output?.marks;
      return this.#handle.output.chunk({ artifactId: this.#defaultArtifact, parts, streamed: true, extensions });
    }
    if (isAgentResult(output)) return this.#emitResult(output);
    if (isUpdateOutput(output)) return this.#emitUpdate(output);
    const draft = chunkDraft(output, { artifactId: this.#defaultArtifact });
    if (!draft) return this.#nothing();
    return draft.artifactId === this.#defaultArtifact ? this.#emitResultChunk(draft) : this.#handle.output.chunk(draft);
  }

  /** The outcome that the written updates name; undefined where they name none. */
  get said(): Outcome | undefined {
    return this.#updates?.said;
  }

  /** An update has ended the turn: nothing that comes after it counts. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  async #emitUpdate(update: UpdateOutput): Promise<void> {
    const published = publishedOf(inNewerWords(update));
    this.#isSaid ||= isLastUpdate(update);
    this.#updates ??= new TurnOutput(this);
    await this.#updates.write(published);
  }

  async #emitResult({ text, data, metadata }: AgentResult): Promise<void> {
    if (metadata) this.#handle.output.addMetadata(metadataOf(metadata) ?? {});
    if (text) await this.emit(text);
    if (data === undefined) return;
    const draft = chunkDraft({ kind: 'data', data }, { artifactId: this.#handle.newId(), name: 'data' });
    if (draft) await this.#emitResultChunk({ ...draft, lastChunk: true });
  }

  /** A part of the result: held to the output that the skill has declared, if it has. */
  #emitResultChunk(draft: ChunkDraft): Promise<void> | undefined {
    const output = this.#output;
    if (!output) return this.#handle.output.chunk(draft);
    const extensions = output.marks ? [...(draft.extensions ?? []), ...output.marks] : draft.extensions;
    const parts = output.parts(draft.parts);
    if (!(parts instanceof Promise)) return this.#handle.output.chunk({ ...draft, parts, extensions });
    return parts.then((checked) => this.#handle.output.chunk({ ...draft, parts: checked, extensions }));
  }

  /** Empty outputs are never held back by a commit; now and then they must let the loop turn. */
  #nothing(): Promise<void> | undefined {
    this.#emptyOutputs += 1;
    return this.#emptyOutputs % MOST_EMPTY_OUTPUTS === 0 ? this.#handle.nextTurn() : undefined;
  }

  artifact(options: ArtifactOptions = {}): ArtifactWriter {
    const artifactId = checkedId(options.artifactId) ?? this.#handle.newId();
    const { output } = this.#handle;
    const write = (pieces: Pieces, lastChunk: boolean) => {
      const draft = chunkDraft(pieces, { ...options, artifactId });
      if (draft) return output.chunk({ ...draft, lastChunk });
      return lastChunk ? output.endArtifact(artifactId) : undefined;
    };
    return {
      artifactId,
      write: (pieces) => quiet(() => write(pieces, false)),
      end: (pieces = '') => quiet(() => write(pieces, true)),
    };
  }

  ask(prompt: MessageContent | Question, options: AskOptions = {}): Promise<never> {
    const handle = this.#handle;
    if (isQuestion(prompt)) return leavable(askQuestion(handle, prompt)) as Promise<never>;
    return leavable(askInWords(handle, prompt, options.state ?? 'input-required')) as Promise<never>;
  }

  fetchFile(part: BytesPart | LinkPart, options: FetchFileOptions = {}): Promise<FetchedFile> {
    return leavable(fetchFile(part, options, { fetchLink: this.#reach.fetchLink, signal: this.signal }));
  }

  requireAuth(options: RequireAuthOptions = {}): Promise<Credential> {
    return leavable(requireAuth(this.#handle, options));
  }

  get tools(): readonly ToolDeclaration[] {
    return toolsOf(this.#handle);
  }

  tool(
    name: string,
    args?: JsonValue,
    options: ToolCallOptions & { readonly schema?: SchemaSource } = {},
  ): Promise<never> {
    return leavable(callTool(this.#handle, name, args, options)) as Promise<never>;
  }

  get chain(): CallChain | undefined {
    return chainOf(this.#handle.message.metadata);
  }

  call(target: CallTarget, message: Content | SkillCall, options: AgentCallOptions = {}): AgentCall<never> {
    return this.#reach.calls.call(this.#handle, target, message, options);
  }

  step<Result extends JsonValue | undefined | void>(
    name: string,
    action: (info: StepInfo) => Result | Promise<Result>,
    options: StepOptions = {},
  ): Promise<Result> {
    return leavable(this.#performed(name, action, options)) as Promise<Result>;
  }

  async #performed(
    name: string,
    action: (info: StepInfo) => unknown,
    { retry }: StepOptions,
  ): Promise<JsonValue | undefined> {
    if (typeof name !== 'string' || name === '') throw new TypeError('A step needs a name');
    const handle = this.#handle;
    const { performStep } = this.#reach;
    return recordedStep(handle, name, ({ idempotencyKey }) => {
      const perform = () =>
        retried(async (attempt) => stepResult(await action({ idempotencyKey, attempt }), name), retry, handle);
      return performStep ? performStep(handle, name, perform) : perform();
    });
  }

  messages(): IncomingMessages {
    const { messages } = this.#handle;
    return {
      take: () => messages.take(Number.POSITIVE_INFINITY),
      // One at a time: a loop that is left must not take messages with it that it has not seen.
      async *[Symbol.asyncIterator]() {
        while (await messages.whenReady()) yield* messages.take(1);
      },
    };
  }

  snapshot(): Promise<Task | undefined> {
    return this.#handle.output.committedTask();
  }

  warn(message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#handle.warn(message, details);
  }

  onCancel(handler: () => void | MessageContent | Promise<void | MessageContent | undefined>): void {
    this.#handle.onCancel(async () => {
      const message = await handler();
      return message === undefined ? undefined : messageDraft(message);
    });
  }
}

/** Calls what may throw; output that the agent does not await must not end the process. */
function quiet(action: () => Promise<void> | undefined): Promise<void> {
  let result: Promise<void>;
  try {
    result = action() ?? Promise.resolve();
  } catch (error) {
    result = Promise.reject(error);
  }
  return leavable(result);
}
