import { A2AServer } from '../a2a-server.ts';
import { defineAgent } from '../agent/define.ts';
import { type Outcome, TaskFailure } from '../agent/outcomes.ts';
import type { TaskContext } from '../agent/task-context.ts';
import { JsonRpcException, taskNotCancelable, taskNotFound } from '../bindings/jsonrpc/error-objects.ts';
import { A2AClient } from '../client/every-dialect-client.ts';
import type { TaskStream } from '../client/stream/task-stream.ts';
import {
  type A2AMessage,
  type A2AStreamEvent,
  type A2ATask,
  cogitator as dialect,
  type SendMessageConfiguration,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from '../dialects/cogitator.ts';
import type { JsonObject } from '../model/basics/json.ts';
import { textOfThrown } from '../model/errors/thrown-text.ts';
import { textOf } from '../model/parts.ts';
import { isTerminal } from '../model/states.ts';
import type { Part } from '../model/task.ts';
import { fromTaskStore, type MirroredStore } from '../server/follow/task-mirror.ts';
import { InMemoryTaskStore, type TaskStore } from '../server/follow/task-store.ts';
import { Emitter } from './emitter.ts';
import {
  type Cogitator,
  type CogitatorRunResult,
  type ForeignTask,
  finishRun,
  type IAgent,
  runForeignAgent,
} from './foreign-agent.ts';

/** The events of a manager; each is also emitted under the id of its task. */
export interface TaskManagerEvents extends Record<string, readonly unknown[]> {
  readonly event: readonly [event: A2AStreamEvent];
  readonly status: readonly [event: TaskStatusUpdateEvent];
  readonly artifact: readonly [event: TaskArtifactUpdateEvent];
}

type CreateArguments =
  | readonly [message: A2AMessage, config?: SendMessageConfiguration]
  | readonly [agentName: string, message: A2AMessage, config?: SendMessageConfiguration];

/** The work of a task after it was created: run an agent, take a result, fail. */
type Program = (task: TaskContext) => Promise<Outcome>;

interface Managed {
  /** Set once: a task has one end. */
  readonly program: PromiseWithResolvers<Program>;
  readonly ended: Promise<void>;
}

/**
 * Tasks that a program of yours drives by hand (S3.2): it makes them, and says when they are done, have failed or are
 * canceled. Each is a task of the engine, with a log of its own; the task store mirrors them.
 */
export class TaskManager extends Emitter<TaskManagerEvents> {
  readonly #tasks: TaskStore;
  readonly #cogitator: Cogitator | undefined;
  readonly #store: MirroredStore;
  readonly #server: A2AServer;
  readonly #client: A2AClient;
  readonly #managed = new Map<string, Managed>();
  /** Programs of tasks that are being made, by the id of their first message. */
  readonly #starting = new Map<string, PromiseWithResolvers<Program>>();

  constructor(taskStore: TaskStore = new InMemoryTaskStore(), cogitator?: Cogitator) {
    super();
    this.#tasks = taskStore;
    this.#cogitator = cogitator;
    this.#store = fromTaskStore(taskStore);
    const driven = defineAgent({
      name: 'driven',
      description: 'Does what a program says',
      version: '1.0.0',
      inputModes: ['*/*'],
      run: (task) => this.#run(task),
    });
    this.#server = new A2AServer({ agents: [driven], store: this.#store, limits: BY_HAND, drainTimeout: 0 });
    const send: typeof fetch = (input, init) => this.#server.fetch(new Request(input, init));
    this.#client = new A2AClient(this.#server.getAgentCard() as JsonObject, { fetch: send });
  }

  /** A task that is working. The name of the agent stands in the metadata of its first message. */
  createTask(message: A2AMessage, config?: SendMessageConfiguration): Promise<A2ATask>;
  createTask(agentName: string, message: A2AMessage, config?: SendMessageConfiguration): Promise<A2ATask>;
  async createTask(...given: CreateArguments): Promise<A2ATask> {
    const [agentName, message, config] = isNamed(given) ? given : ([undefined, ...given] as const);
    const { message: first } = dialect.decode.sendMessage({ message, configuration: config });
    const program = Promise.withResolvers<Program>();
    this.#starting.set(first.messageId, program);
    const metadata = agentName === undefined ? first.metadata : { ...first.metadata, agentName };
    const stream = this.#client.sendMessageStream({ ...first, metadata }, { returnImmediately: true });
    const made = Promise.withResolvers<string>();
    made.promise.catch(() => undefined);
    const ended = this.#follow(stream, made.resolve).catch((error: unknown) => {
      this.#starting.delete(first.messageId);
      made.reject(error);
    });
    const id = await made.promise;
    this.#managed.set(id, { program, ended });
    void ended.then(() => this.#managed.delete(id));
    return this.#current(id);
  }

  /** Has an agent do the task; the task when that has ended, whichever way. */
  async executeTask(task: A2ATask, agent: IAgent, message?: A2AMessage): Promise<A2ATask> {
    const cogitator = this.#cogitator;
    if (!cogitator) throw new TypeError('This manager has no cogitator that could run an agent');
    const parts = message && dialect.decode.sendMessage({ message }).message.parts;
    return this.#drive(task.id, async (context) => {
      try {
        return await runForeignAgent(agent, cogitator, parts ? reading(context, parts) : context);
      } catch (error) {
        throw context.signal.aborted ? error : failure(error);
      }
    });
  }

  async completeTask(taskId: string, result: CogitatorRunResult): Promise<A2ATask> {
    return this.#drive(taskId, (task) => finishRun(result, task));
  }

  /** The reason stands in the message of the status. */
  async failTask(taskId: string, error: Error | string): Promise<A2ATask> {
    return this.#drive(taskId, async () => {
      throw failure(error);
    });
  }

  /** Ends the task and whatever works on it. Rejects with -32002 where it has ended already. */
  async cancelTask(taskId: string): Promise<A2ATask> {
    const task = await this.getTask(taskId);
    if (isTerminal(task.status.state)) throw new JsonRpcException(taskNotCancelable(taskId));
    const managed = this.#managed.get(taskId);
    if (managed) {
      await this.#client.cancelTask(taskId);
      await managed.ended;
      return this.#current(taskId);
    }
    // A task of an earlier life of the program: its run is gone.
    const status = { state: 'canceled', timestamp: new Date().toISOString() } as const;
    await this.#tasks.update(taskId, { status });
    return this.getTask(taskId);
  }

  /** Rejects with -32001 if there is none. */
  async getTask(taskId: string): Promise<A2ATask> {
    const task = await this.#tasks.get(taskId);
    if (!task) throw new JsonRpcException(taskNotFound(taskId));
    return task;
  }

  /** Ends what is still at work, and writes what the task store lacks. */
  close(): Promise<void> {
    return this.#server.close();
  }

  /** The first program that is given is the one that runs; what comes later finds the task ended. */
  async #drive(taskId: string, program: Program): Promise<A2ATask> {
    const managed = this.#managed.get(taskId);
    if (managed) {
      managed.program.resolve(program);
      await managed.ended;
    } else if (!isTerminal((await this.getTask(taskId)).status.state)) {
      throw new Error(`Task ${taskId} was made by another manager: this one can only cancel it`);
    }
    return this.#current(taskId);
  }

  async #run(task: TaskContext): Promise<Outcome> {
    const starting = this.#starting.get(task.message.messageId);
    this.#starting.delete(task.message.messageId);
    if (!starting) throw new TaskFailure('Nobody drives this task');
    const canceled = new Promise<never>((_, reject) => {
      task.signal.addEventListener('abort', () => reject(task.signal.reason), { once: true });
    });
    const program = await Promise.race([starting.promise, canceled]);
    return program(task);
  }

  /** Tells what happens to a task until it ends. */
  async #follow(stream: TaskStream, onId: (id: string) => void): Promise<void> {
    for await (const event of stream) {
      const wire = dialect.encodeEvent(event) as A2AStreamEvent;
      onId(wire.taskId);
      this.emit('event', wire);
      this.emit(wire.taskId, wire);
      if (wire.kind === 'status-update') this.emit('status', wire);
      else this.emit('artifact', wire);
    }
  }

  /** The task as the task store has it once that has caught up. */
  async #current(taskId: string): Promise<A2ATask> {
    await this.#store.mirrored();
    return this.getTask(taskId);
  }
}

/** A program that drives a task itself has no time limit. */
const BY_HAND = { runTimeout: Number.POSITIVE_INFINITY, inactivityTimeout: Number.POSITIVE_INFINITY };

function isNamed(given: CreateArguments): given is readonly [string, A2AMessage, SendMessageConfiguration?] {
  return typeof given[0] === 'string';
}

/** The same task with another message. */
function reading(task: TaskContext, parts: readonly Part[]): ForeignTask {
  return { text: textOf(parts), parts, signal: task.signal, write: (output) => task.write(output) };
}

/** The tasks of a manager are the program's own, and so are the reasons of their failures. */
function failure(error: unknown): TaskFailure {
  return new TaskFailure(textOfThrown(error));
}
