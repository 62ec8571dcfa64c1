import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { textOf, textPart } from '../interop/support/messages.ts';
import { pause } from '../support/script.ts';

// Executors as users of the official SDK write them. Nothing here knows Parley.

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED } = TaskState;
const { TASK_STATE_SUBMITTED, TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED } = TaskState;

/** What executors have in common: how they speak of the task that they were asked for. */
class Publisher {
  readonly context: RequestContext;
  readonly bus: ExecutionEventBus;

  constructor(context: RequestContext, bus: ExecutionEventBus) {
    this.context = context;
    this.bus = bus;
  }

  get text(): string {
    return textOf(this.context.userMessage.parts);
  }

  /** Every call begins with the task. */
  task(more: Partial<Task> = {}): void {
    const { taskId: id, contextId, userMessage, task } = this.context;
    const status = { state: TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
    const fresh: Task = { id, contextId, status, artifacts: [], history: [userMessage], metadata: undefined };
    this.bus.publish(AgentEvent.task({ ...(task ?? fresh), ...more }));
  }

  message(text: string): Message {
    const { taskId, contextId } = this.context;
    return {
      messageId: crypto.randomUUID(),
      role: Role.ROLE_AGENT,
      contextId,
      taskId,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  status(state: TaskState, text?: string, metadata?: Record<string, unknown>): void {
    const { taskId, contextId } = this.context;
    const message = text === undefined ? undefined : this.message(text);
    const status = { state, message, timestamp: new Date().toISOString() };
    this.bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata }));
  }

  chunk(artifact: Partial<Artifact> & { readonly parts: Part[] }, append = false, lastChunk = false): void {
    const { taskId, contextId } = this.context;
    const whole = { artifactId: 'a-1', name: '', description: '', metadata: undefined, extensions: [], ...artifact };
    this.bus.publish(
      AgentEvent.artifactUpdate({ taskId, contextId, artifact: whole, append, lastChunk, metadata: undefined }),
    );
  }
}

abstract class Executor implements AgentExecutor {
  protected abstract work(say: Publisher): Promise<void>;

  execute = (context: RequestContext, bus: ExecutionEventBus): Promise<void> => this.work(new Publisher(context, bus));

  cancelTask = async (_taskId: string, _bus: ExecutionEventBus): Promise<void> => {};
}

export const CHUNKS = 200;

export class Streaming extends Executor {
  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_WORKING, 'Writing');
    for (let index = 0; index < CHUNKS; index += 1) {
      const parts = [textPart(`${say.text} ${index}\n`)];
      say.chunk({ artifactId: 'report', name: 'report.txt', parts }, index > 0, index === CHUNKS - 1);
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    say.chunk({ artifactId: 'notes', name: 'notes', metadata: { draft: true }, parts: [textPart('One')] });
    say.chunk({ artifactId: 'notes', name: '', metadata: { pages: 2 }, parts: [textPart('Two')] }, true, true);
    say.status(TASK_STATE_COMPLETED, 'Written', { words: 400 });
    say.bus.finished();
  }
}

/** One Task event with everything in it. */
export class TaskOnly extends Executor {
  protected async work(say: Publisher): Promise<void> {
    const parts = [
      textPart('{"a":1}', { mediaType: 'application/json', filename: 'a.json' }),
      { ...textPart(''), content: { $case: 'data' as const, value: { rows: [1, 2] } } },
      { ...textPart(''), content: { $case: 'raw' as const, value: Buffer.from('bytes') }, filename: 'b.bin' },
      { ...textPart(''), content: { $case: 'url' as const, value: 'https://files.example.com/c' } },
    ];
    const artifact = {
      artifactId: 'all',
      name: 'all',
      description: 'Everything',
      metadata: { of: 'all' },
      extensions: [],
    };
    const status = { state: TASK_STATE_COMPLETED, message: say.message('Here'), timestamp: new Date().toISOString() };
    say.task({ status, artifacts: [{ ...artifact, parts }], metadata: { cost: 3 } });
    say.bus.finished();
  }
}

export class MessageOnly extends Executor {
  protected async work(say: Publisher): Promise<void> {
    const message = say.message(`You said ${say.text}`);
    say.bus.publish(AgentEvent.message({ ...message, taskId: '', messageId: 'm-answer', metadata: { mood: 'good' } }));
    say.bus.finished();
  }
}

/** Asks for a city, then for a day, then tells the weather: each answer is a call of its own. */
export class Conversation extends Executor {
  protected async work(say: Publisher): Promise<void> {
    const { task } = say.context;
    say.task();
    const asked = task?.history.filter(({ role }) => role === Role.ROLE_AGENT).length ?? 0;
    if (task && task.status?.state !== TASK_STATE_INPUT_REQUIRED) throw new Error('Nobody has asked');
    if (asked === 0) {
      say.chunk({ artifactId: 'log', parts: [textPart('asked;')] });
      say.status(TASK_STATE_INPUT_REQUIRED, 'Which city?');
    } else if (asked === 1) {
      say.status(TASK_STATE_WORKING, `Looking for ${say.text}`);
      say.status(TASK_STATE_INPUT_REQUIRED, 'Which day?');
    } else {
      const answers = task?.history.filter(({ role }) => role === Role.ROLE_USER).map(({ parts }) => textOf(parts));
      say.chunk({ artifactId: 'log', parts: [textPart('told')] }, true, true);
      say.status(TASK_STATE_COMPLETED, `Sunny: ${answers?.join(', ')}`);
    }
    say.bus.finished();
  }

  override cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    const say = new Publisher({ taskId, contextId: '' } as RequestContext, bus);
    say.status(TASK_STATE_CANCELED, 'Never mind');
    bus.finished();
  };
}

/** Looks now and then whether it is canceled; says so itself. */
export class Cancellable extends Executor {
  readonly canceled = new Set<string>();

  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_WORKING, 'At it');
    while (!this.canceled.has(say.context.taskId)) await pause(2);
    say.chunk({ parts: [textPart('half')] }, false, true);
    say.status(TASK_STATE_CANCELED, 'Stopped half-way');
    say.bus.finished();
  }

  override cancelTask = async (taskId: string): Promise<void> => {
    this.canceled.add(taskId);
  };
}

/** Ends as it is told: `failed`, `rejected`, `auth`. */
export class Ending extends Executor {
  protected async work(say: Publisher): Promise<void> {
    say.task();
    if (say.text === 'rejected') say.status(TASK_STATE_REJECTED, 'Not my field');
    else if (say.text === 'auth') say.status(TASK_STATE_AUTH_REQUIRED, 'Sign in first');
    else if (say.context.task) say.status(TASK_STATE_COMPLETED, 'Signed in');
    else say.status(TASK_STATE_FAILED, 'The index is broken', { index: 7 });
    say.bus.finished();
  }
}

/** Waits for an authorization that comes to it by another way, and goes on by itself. */
export class SignsInItself extends Executor {
  readonly signedIn = Promise.withResolvers<void>();

  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_AUTH_REQUIRED, 'Sign in first');
    await this.signedIn.promise;
    say.status(TASK_STATE_WORKING, 'Signed in');
    say.chunk({ parts: [textPart('secret')] }, false, true);
    say.status(TASK_STATE_COMPLETED);
    say.bus.finished();
  }
}

export class Throwing extends Executor {
  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_WORKING, 'Trying');
    throw new Error('password=hunter2');
  }
}

export class ThrowsAtOnce extends Executor {
  protected async work(): Promise<void> {
    throw new Error('password=hunter2');
  }
}

export class PublishesAfterTheEnd extends Executor {
  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.chunk({ parts: [textPart('in time')] }, false, true);
    say.status(TASK_STATE_COMPLETED, 'Done');
    say.bus.finished();
    say.chunk({ artifactId: 'late', parts: [textPart('too late')] });
    say.status(TASK_STATE_FAILED, 'Not done');
  }
}

/** Never says `finished()`, and its `execute` stays open for as long as it likes. */
export class NeverFinishes extends Executor {
  readonly left = Promise.withResolvers<void>();

  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_WORKING);
    say.chunk({ parts: [textPart('all of it')] }, false, true);
    say.status(TASK_STATE_COMPLETED, 'Done');
    await this.left.promise;
  }
}

export class ReturnsEarly extends Executor {
  protected async work(say: Publisher): Promise<void> {
    say.task();
    say.status(TASK_STATE_WORKING, 'On it');
    say.chunk({ parts: [textPart('some')] }, false, true);
  }
}

export class SaysNothing extends Executor {
  protected async work(): Promise<void> {}
}

/** Makes up ids of its own. */
export class OwnIds extends Executor {
  protected async work({ context, bus }: Publisher): Promise<void> {
    const say = new Publisher(new RequestContext(context.request, 'my-task', 'my-context', context.context), bus);
    say.task();
    say.chunk({ parts: [textPart('mine')] }, false, true);
    say.status(TASK_STATE_COMPLETED, 'Mine');
    bus.finished();
  }
}

/** The second message wakes the run of the first: both are calls of `execute` on the same task. */
export class Together extends Executor {
  readonly #first = Promise.withResolvers<string>();

  protected async work(say: Publisher): Promise<void> {
    if (say.context.task) {
      this.#first.resolve(say.text);
      return;
    }
    say.task();
    say.status(TASK_STATE_WORKING, 'Waiting for more');
    const more = await this.#first.promise;
    say.status(TASK_STATE_COMPLETED, `Then ${more}`);
    say.bus.finished();
  }
}
