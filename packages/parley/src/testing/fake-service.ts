import type { Service, StreamResult, UnaryResult } from '../bindings/service.ts';
import type { Clock } from '../engine/ports.ts';
import type { Call } from '../model/call.ts';
import { RESUME_EXTENSION } from '../model/card.ts';
import { A2AError, taskNotFound } from '../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  SendInput,
  StreamOperationName,
  SubscribeInput,
  UnaryOperationName,
} from '../model/operations.ts';
import { textOf } from '../model/parts.ts';
import type { Message, Task } from '../model/task.ts';
import { FakeEvents } from './fake-events.ts';
import { completed, type FakeResponse, isMessage, isSteps } from './fake-script.ts';
import { FakeTask } from './fake-task.ts';

/** A call that a fake agent got. */
export interface FakeCall<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly input: OperationInputs[Name];
  readonly lastEventId: string | undefined;
  readonly idempotencyKey: string | undefined;
}

type Begun = { readonly task: FakeTask; readonly from: number; readonly played: Promise<void> };

/** The operations of a fake agent. */
export class FakeService implements Service {
  readonly calls: FakeCall[] = [];
  readonly tasks = new Map<string, FakeTask>();
  readonly #responses: readonly FakeResponse[];
  readonly #clock: Clock;
  readonly #resumes: boolean;
  readonly #begun = new Map<string, Promise<Begun | Message>>();
  #sends = 0;

  constructor(responses: readonly FakeResponse[], clock: Clock, resumes: boolean) {
    this.#responses = responses;
    this.#clock = clock;
    this.#resumes = resumes;
  }

  admit(): readonly string[] {
    return this.#resumes ? [RESUME_EXTENSION] : [];
  }

  async unary<Name extends UnaryOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
  ): Promise<UnaryResult<Name>> {
    this.#note(call, input);
    return { result: (await this.#unary(input as never, call)) as OperationResults[Name] };
  }

  async stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
  ): Promise<StreamResult> {
    this.#note(call, input);
    const extensions = this.admit();
    if (call.operation === 'subscribeToTask') {
      return { kind: 'stream', events: this.#subscription(input as SubscribeInput, call), extensions };
    }
    const begun = await this.#send(input as SendInput, call);
    if (isMessage(begun)) return { kind: 'reply', message: begun, extensions };
    return { kind: 'stream', events: new FakeEvents(begun.task, begun.from, false), extensions };
  }

  async #unary(input: never, call: Call<UnaryOperationName>): Promise<unknown> {
    switch (call.operation) {
      case 'sendMessage':
        return this.#sent(input, call);
      case 'getTask':
        return this.#taskOf((input as OperationInputs['getTask']).id).task;
      case 'cancelTask':
        return this.#taskOf((input as OperationInputs['cancelTask']).id).cancel();
      case 'listTasks':
        return this.#list(input);
      case 'createPushConfig':
      case 'getPushConfig':
      case 'listPushConfigs':
      case 'deletePushConfig':
      case 'getExtendedCard':
        throw new A2AError('UNSUPPORTED_OPERATION', `A fake agent has no ${call.operation}`);
    }
  }

  async #sent(input: SendInput, call: Call): Promise<Task | Message> {
    const begun = await this.#send(input, call);
    if (isMessage(begun)) return begun;
    const { task, from, played } = begun;
    if (input.returnImmediately) return task.task;
    await played;
    for (const frame of task.frames.slice(from)) if ('error' in frame) throw frame.error;
    return task.task;
  }

  #send(input: SendInput, { idempotencyKey }: Call): Promise<Begun | Message> {
    const known = idempotencyKey === undefined ? undefined : this.#begun.get(idempotencyKey);
    if (known) return known;
    const begun = this.#begin(input);
    if (idempotencyKey !== undefined && this.#resumes) this.#begun.set(idempotencyKey, begun);
    // A send that failed may be made again.
    begun.catch(() => idempotencyKey !== undefined && this.#begun.delete(idempotencyKey));
    return begun;
  }

  async #begin(input: SendInput): Promise<Begun | Message> {
    const { message } = input;
    this.#sends += 1;
    const number = this.#sends;
    let response = this.#responses[Math.min(number, this.#responses.length) - 1] ?? '';
    while (typeof response === 'function') response = await response({ text: textOf(message), message, input, number });
    if (response instanceof Error) throw response;
    if (isMessage(response)) return response;
    const task = message.taskId === undefined ? this.#newTask(message) : this.#taskOf(message.taskId);
    const from = task.frames.length;
    task.receive(message);
    const played = task.play(completed(isSteps(response) ? response : [response]));
    played.catch(() => {});
    return { task, from, played };
  }

  #newTask({ contextId }: Message): FakeTask {
    const number = this.tasks.size + 1;
    const task = new FakeTask(`task-${number}`, contextId ?? `context-${number}`, this.#clock);
    this.tasks.set(task.id, task);
    return task;
  }

  #taskOf(id: string): FakeTask {
    const task = this.tasks.get(id);
    if (!task) throw taskNotFound(id);
    return task;
  }

  #subscription({ id }: SubscribeInput, { resumeAt }: Call): FakeEvents {
    const task = this.#taskOf(id);
    const { frames } = task;
    const after = this.#resumes && resumeAt !== undefined ? Number(resumeAt) : undefined;
    const from = after === undefined ? -1 : frames.findIndex(({ seq }) => seq > after);
    if (task.isOver && (after === undefined || from === -1)) {
      throw new A2AError('UNSUPPORTED_OPERATION', 'The task has ended', { metadata: { position: 'end' } });
    }
    if (after !== undefined) return new FakeEvents(task, from === -1 ? frames.length : from, true);
    return new FakeEvents(task, frames.length, true, task.task);
  }

  #list(input: OperationInputs['listTasks']): OperationResults['listTasks'] {
    const tasks = [...this.tasks.values()].map(({ task }) => task).slice(0, input.pageSize);
    const { pageSize, includeArtifacts } = input;
    return { tasks, nextPageToken: '', pageSize, totalSize: this.tasks.size, includeArtifacts };
  }

  #note<Name extends OperationName>(call: Call<Name>, input: OperationInputs[Name]): void {
    const { operation, resumeAt: lastEventId, idempotencyKey } = call;
    this.calls.push({ operation, input, lastEventId, idempotencyKey });
  }
}
