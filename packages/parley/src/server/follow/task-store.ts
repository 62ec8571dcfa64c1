import { JsonRpcException, taskNotFound } from '../../bindings/jsonrpc/error-objects.ts';
import type { RecordedState, TaskRecord } from '../../dialects/task-record.ts';

/** Selects the tasks that a store lists. */
export interface TaskStoreFilter {
  readonly contextId?: string | undefined;
  readonly state?: RecordedState | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/**
 * A place of your own to which a server mirrors its tasks (S3.5), a moment after each commit. The server never reads it:
 * what it promises rests on its `store`.
 */
export interface TaskStore {
  create(task: TaskRecord): Promise<void>;
  /** Resolves with null if there is no such task. */
  get(taskId: string): Promise<TaskRecord | null>;
  /** Replaces the members that are given. */
  update(taskId: string, changes: Partial<TaskRecord>): Promise<void>;
  list(filter?: TaskStoreFilter): Promise<TaskRecord[]>;
  /** Does nothing if there is no such task. */
  delete(taskId: string): Promise<void>;
}

/** Tasks in memory, in the order in which they were created. It takes and returns copies. */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, TaskRecord>();

  async create(task: TaskRecord): Promise<void> {
    this.#tasks.set(task.id, structuredClone(task));
  }

  async get(taskId: string): Promise<TaskRecord | null> {
    return structuredClone(this.#tasks.get(taskId)) ?? null;
  }

  async update(taskId: string, changes: Partial<TaskRecord>): Promise<void> {
    const task = this.#tasks.get(taskId);
    if (!task) throw new JsonRpcException(taskNotFound(taskId));
    this.#tasks.set(taskId, { ...task, ...structuredClone(changes), id: taskId });
  }

  async list({ contextId, state, offset = 0, limit }: TaskStoreFilter = {}): Promise<TaskRecord[]> {
    const fitting = [...this.#tasks.values()].filter(
      (task) =>
        (contextId === undefined || task.contextId === contextId) &&
        (state === undefined || task.status.state === state),
    );
    const end = limit === undefined ? undefined : offset + limit;
    return structuredClone(fitting.slice(offset, end));
  }

  async delete(taskId: string): Promise<void> {
    this.#tasks.delete(taskId);
  }
}
