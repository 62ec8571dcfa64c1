import { abortable } from '../../client/call/signals.ts';
import { needsAuthorization, type TaskUse } from '../../client/skill/canceling.ts';
import type { TaskStreamEvent } from '../../client/stream/task-stream.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';
import { answerOf } from './answer.ts';
import type { FinishReason, ModelCall, StreamPart, Warning } from './model-types.ts';
import { newSince } from './new-since.ts';
import { finishReasonOf, metadataOf, problemOf, timeOf, usageOf } from './outcome.ts';
import { TextBlocks } from './text-blocks.ts';

interface StreamedCall {
  readonly use: TaskUse;
  readonly call: ModelCall;
  readonly modelId: string;
  readonly warnings: Warning[];
  /** The task as it was before the call, where the call goes on with one. */
  readonly before: Task | undefined;
  /** Makes an error as the AI SDK has them. */
  readonly toError: (error: unknown) => Promise<unknown>;
}

type Events = AsyncIterator<TaskStreamEvent, undefined>;
type Step = IteratorResult<TaskStreamEvent, undefined>;
type Controller = ReadableStreamDefaultController<StreamPart>;

/**
 * The parts of a streamed answer. It resolves when the agent has taken the message, so that a refusal is an error of the call;
 * what goes wrong later is a part of the stream. Nothing is read ahead of the reader, and leaving the stream cancels the task.
 */
export async function streamOf(streamed: StreamedCall): Promise<ReadableStream<StreamPart>> {
  const { stream, signal } = streamed.use;
  const events: Events = stream[Symbol.asyncIterator]();
  const first = await abortable(events.next(), signal);
  return new ReadableStream(new PartSource(streamed, events, first));
}

/** The source of a web stream. */
class PartSource {
  readonly #streamed: StreamedCall;
  readonly #events: Events;
  /** The event that came before the first read. */
  #first: Step | undefined;
  #blocks: TextBlocks | undefined;
  #isOver = false;

  constructor(streamed: StreamedCall, events: Events, first: Step) {
    this.#streamed = streamed;
    this.#events = events;
    this.#first = first;
  }

  start(controller: Controller): void {
    const { before, call, modelId, use, warnings } = this.#streamed;
    const emit = (part: StreamPart) => controller.enqueue(part);
    this.#blocks = new TextBlocks(emit, call.responseFormat?.type === 'json');
    if (before) this.#blocks.skip(before);
    emit({ type: 'stream-start', warnings });
    emit({ type: 'response-metadata', modelId, ...factsOf(this.#first?.value) });
    use.signal.addEventListener('abort', () => this.#abort(controller), { once: true });
  }

  async pull(controller: Controller): Promise<void> {
    // Some events have nothing for the reader, who is waiting until something is there.
    while (!this.#isOver && (controller.desiredSize ?? 0) > 0) await this.#advance(controller);
  }

  cancel(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#streamed.use.stop(reason);
  }

  async #advance(controller: Controller): Promise<void> {
    try {
      const { use, call } = this.#streamed;
      const step = this.#first ?? (await this.#events.next());
      this.#first = undefined;
      if (this.#isOver) return;
      if (step.done) return await this.#finish(controller, await use.stream.result);
      if (call.includeRawChunks) controller.enqueue({ type: 'raw', rawValue: step.value });
      this.#blocks?.add(step.value);
      if (!needsAuthorization(step.value)) return;
      const task = await use.task();
      await this.#events.return?.();
      await this.#finish(controller, task);
    } catch (error) {
      await this.#fail(controller, error, { unified: 'error', raw: undefined });
    }
  }

  async #finish(controller: Controller, result: Task | Message): Promise<void> {
    if (this.#isOver) return;
    const problem = problemOf(result);
    if (problem) return this.#fail(controller, problem, finishReasonOf(result), result);
    this.#blocks?.end(answerOf(newSince(result, this.#streamed.before)), !isTask(result));
    this.#close(controller, finishReasonOf(result), result);
  }

  async #fail(controller: Controller, error: unknown, reason: FinishReason, result?: Task | Message): Promise<void> {
    const shown = await this.#streamed.toError(error);
    if (this.#isOver) return;
    this.#blocks?.close();
    controller.enqueue({ type: 'error', error: shown });
    this.#close(controller, reason, result);
  }

  #close(controller: Controller, finishReason: FinishReason, result: Task | Message | undefined): void {
    this.#isOver = true;
    this.#streamed.use.release();
    const providerMetadata = result && metadataOf(result);
    const usage = usageOf(result);
    controller.enqueue({ type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) });
    controller.close();
  }

  /** The user's signal ends the stream at once; that the time is up is told in it. */
  #abort(controller: Controller): void {
    const { call, use } = this.#streamed;
    if (this.#isOver) return;
    if (!call.abortSignal?.aborted) {
      void this.#fail(controller, use.signal.reason, { unified: 'error', raw: undefined });
      return;
    }
    this.#isOver = true;
    controller.error(use.signal.reason);
  }
}

function factsOf(event: StreamEvent | undefined): { readonly id?: string; readonly timestamp?: Date } {
  if (!event) return {};
  if (event.kind === 'message') return { id: event.message.messageId };
  if (event.kind === 'task') return { id: event.task.id, ...timeOf(event.task) };
  return { id: event.taskId };
}
