import {
  type A2AClient,
  isA2AError,
  isInterrupted,
  isTerminal,
  type JsonObject,
  type Message,
  type Part,
  type SendOptions,
  type Task,
  type TaskStream,
} from 'parley-a2a/client';
import { onReconnect } from '../../api/reconnects.ts';
import { newId } from './new-id.ts';
import { Pace } from './pace.ts';
import { TaskView } from './task-view.ts';

/** Tasks of a context that are shown at first; the oldest are left out. */
const SHOWN_TASKS = 50;

export interface Place {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

export interface Sending {
  readonly parts: readonly Part[];
  readonly skill?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** What the page shows in the place of the parts, where those are a secret. */
  readonly shown?: readonly Part[] | undefined;
}

/**
 * A conversation with one agent: the tasks of a context, each followed while it works. What the page needs to find its way back
 * here after a reload, task and context, is told by `onMove`.
 */
export class Conversation {
  readonly #client: A2AClient;
  readonly #onMove: (place: Place) => void;
  readonly #listeners = new Set<() => void>();
  #closing = new AbortController();
  #views: readonly TaskView[] = [];
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #contextId: string | undefined;
  #stream: TaskStream | undefined;
  /** Tasks of the context that are older than those shown. */
  omitted = 0;

  constructor(client: A2AClient, onMove: (place: Place) => void) {
    this.#client = client;
    this.#onMove = onMove;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly views = (): readonly TaskView[] => this.#views;

  get contextId(): string | undefined {
    return this.#contextId;
  }

  /** Comes to the conversation, for the first time or again. */
  begin(): void {
    clearTimeout(this.#leaving);
    if (this.#closing.signal.aborted) this.#closing = new AbortController();
  }

  /** Leaves the conversation, unless somebody comes back at once, as React has it in development; its tasks go on. */
  close(): void {
    this.#leaving = setTimeout(() => this.#closing.abort(new DOMException('The page was left', 'AbortError')));
  }

  /** Comes back to a task, and to the others of its context. */
  async open({ taskId, contextId }: Place): Promise<void> {
    const signal = this.#closing.signal;
    const named = taskId === undefined ? undefined : await this.#client.getTask(taskId, { signal });
    const context = named?.contextId ?? contextId;
    this.#contextId = context;
    const others = context === undefined ? [] : await this.#tasksOf(context, signal);
    const tasks = named === undefined || others.some(({ id }) => id === named.id) ? others : [...others, named];
    if (signal.aborted) return;
    this.#setViews(tasks.map((task) => this.#viewOf(task)));
  }

  /** The tasks of a context, oldest first. Agents that cannot list, such as those of 0.3, have none. */
  async #tasksOf(contextId: string, signal: AbortSignal): Promise<readonly Task[]> {
    try {
      const page = await this.#client.listTasks(
        { contextId, pageSize: SHOWN_TASKS, includeArtifacts: true, historyLength: 1_000 },
        { signal },
      );
      this.omitted = Math.max(0, page.totalSize - page.tasks.length);
      return page.tasks.toSorted((one, other) => (firstTime(one) < firstTime(other) ? -1 : 1));
    } catch (error) {
      if (isA2AError(error) && error.code !== 'UNREACHABLE') return [];
      throw error;
    }
  }

  #viewOf(task: Task): TaskView {
    const view = new TaskView();
    view.applyTask(task);
    if (!isTerminal(task.status.state) && !isInterrupted(task.status.state)) this.#follow(view);
    return view;
  }

  /** Sends a message: to the task that waits for one, or as a new task of the context. */
  send(sending: Sending, view?: TaskView): void {
    const target = view ?? new TaskView();
    const message: Message = {
      messageId: newId(),
      role: 'user',
      parts: sending.parts,
      ...(sending.metadata && { metadata: sending.metadata }),
    };
    target.addAnswer(sending.shown === undefined ? message : { ...message, parts: sending.shown });
    if (view === undefined) this.#setViews([...this.#views, target]);
    if (target.isWorking && target.id !== undefined) {
      this.#tell(target, message);
      return;
    }
    this.#sendTo(target, message, {
      ...(target.id !== undefined && { taskId: target.id }),
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      ...(sending.skill !== undefined && { skill: sending.skill }),
      // The same key when it is tried again: a message that did arrive is not a second one.
      idempotencyKey: message.messageId,
    });
  }

  #sendTo(view: TaskView, message: Message, options: SendOptions): void {
    const { signal } = this.#closing;
    view.activity = { kind: 'sending' };
    this.#read(view, this.#client.sendMessageStream(message, { ...options, signal }), () =>
      this.#sendTo(view, message, options),
    );
  }

  /** A message to a task at work: the stream that is open already shows what it does. */
  #tell(view: TaskView, message: Message): void {
    const options = { taskId: view.id, contextId: this.#contextId, idempotencyKey: message.messageId };
    this.#client.sendMessage(message, { ...options, returnImmediately: true, signal: this.#closing.signal }).then(
      () => {
        if (!view.isWorking) this.#follow(view);
      },
      (error: unknown) => this.#fail(view, error, () => this.#tell(view, message)),
    );
  }

  /** Follows a task that works: first as it is, then what happens to it. */
  #follow(view: TaskView): void {
    if (view.id === undefined) return;
    view.activity = { kind: 'streaming' };
    const stream = this.#client.subscribe(view.id, { signal: this.#closing.signal });
    this.#read(view, stream, () => this.#follow(view));
  }

  #read(view: TaskView, stream: TaskStream, again: () => void): void {
    this.#stream = stream;
    const forget = onReconnect(({ taskId, attempt }) => {
      if (taskId === view.id && view.isWorking) view.activity = { kind: 'reconnecting', attempt };
    });
    this.#consume(view, stream)
      .then(() => {
        view.activity = { kind: 'idle' };
      })
      .catch((error: unknown) => this.#fail(view, error, again))
      .finally(forget);
  }

  async #consume(view: TaskView, stream: TaskStream): Promise<void> {
    const pace = new Pace();
    for await (const event of stream) {
      view.apply(event);
      if (view.activity.kind !== 'streaming') {
        view.activity = { kind: 'streaming' };
        this.#move(view);
      }
      if (pace.isDue) await pace.rest();
    }
    this.#move(view);
  }

  #fail(view: TaskView, error: unknown, again: () => void): void {
    if (this.#closing.signal.aborted) return;
    // What was accepted is followed; what was not is sent once more.
    const retry = view.id === undefined ? again : () => this.#follow(view);
    const isOver = isA2AError(error) && error.code === 'UNSUPPORTED_OPERATION' && view.id !== undefined;
    if (isOver) this.#look(view);
    else view.activity = { kind: 'failed', error, retry };
  }

  /** A task that cannot be followed, because it ended meanwhile, is looked at. */
  #look(view: TaskView): void {
    if (view.id === undefined) return;
    this.#client.getTask(view.id, { signal: this.#closing.signal }).then(
      (task) => {
        view.applyTask(task);
        view.activity = { kind: 'idle' };
      },
      (error: unknown) => {
        view.activity = { kind: 'failed', error, retry: () => this.#look(view) };
      },
    );
  }

  /** Asks the agent to stop what it works on. */
  stop(view: TaskView): void {
    const { id } = view;
    const stopping = id === undefined ? this.#stream?.cancel() : this.#client.cancelTask(id);
    stopping?.then(
      (task) => view.applyTask(task),
      (error: unknown) => {
        view.activity = { kind: 'failed', error, retry: () => this.#look(view) };
      },
    );
  }

  #move(view: TaskView): void {
    this.#contextId ??= view.contextId;
    this.#onMove({ taskId: view.id, contextId: this.#contextId });
  }

  #setViews(views: readonly TaskView[]): void {
    this.#views = views;
    for (const listener of this.#listeners) listener();
  }
}

/** Ids of tasks are made in the order of time (UUIDv7) by Parley; elsewhere the status has to do. */
function firstTime(task: Task): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(task.id) ? `0 ${task.id}` : `1 ${task.status.timestamp}`;
}
