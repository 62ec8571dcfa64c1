import type { RunHandle } from '../engine/turn/runner.ts';
import type { JsonValue } from '../model/basics/json.ts';
import { leavable } from '../model/basics/leavable.ts';
import type { Artifact, Message, Task } from '../model/task.ts';
import { storedValue } from './run/outputs.ts';

export interface EarlierTasksOptions {
  /** The most tasks to return; the latest ones count. Default 20, at most 100. */
  readonly limit?: number | undefined;
  /** Returns only tasks before the task with this id, to go further back. */
  readonly before?: string | undefined;
}

export interface EarlierMessagesOptions {
  /** The most messages to return; the latest ones count. Default 100, at most 1000. */
  readonly limit?: number | undefined;
  /** Returns only messages of tasks before the task with this id, to go further back. */
  readonly before?: string | undefined;
  /** Adds the messages of this task, up to the current one, at the end. Default false. */
  readonly includeCurrent?: boolean | undefined;
  /** Adds the artifacts of a task as a message of the agent. Default true. */
  readonly includeArtifacts?: boolean | undefined;
}

/**
 * The conversation that a task is part of: what its caller has said to this agent before under the same `contextId`.
 * It is over when nothing has happened in it for 24 hours (`retention.contexts`).
 */
export interface Conversation {
  readonly id: string;
  /**
   * True where the caller named the conversation, by its id or by one of its tasks; false where it begins with this
   * message.
   */
  readonly isNamed: boolean;
  /**
   * The messages of earlier tasks, oldest first. The artifacts of a task follow its messages as one message of the
   * agent. A bare `reply` makes no task and is not included.
   */
  messages(options?: EarlierMessagesOptions): Promise<readonly Message[]>;
  /** The tasks before this one, oldest first. */
  tasks(options?: EarlierTasksOptions): Promise<readonly Task[]>;
  /** The value that a task of the conversation stored under a key. */
  get<Value extends JsonValue = JsonValue>(key: string): Promise<Value | undefined>;
  /** Keeps something for later tasks of the conversation. It is on disk when this resolves; together up to 64 KB. */
  set(key: string, value: JsonValue): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Lets other callers of the same tenant, by their subjects, into the conversation: they see its tasks and write to
   * them, under the same `contextId`. Rejects, and shares with nobody, where one of them has a context of that id. It is
   * on disk when this resolves.
   */
  share(subjects: readonly string[]): Promise<void>;
}

const TASKS = { usual: 20, most: 100 };
const MESSAGES = { usual: 100, most: 1000 };
/** Tasks per read in the search for messages. */
const PAGE = 20;

export function conversationOf(handle: RunHandle): Conversation {
  return {
    id: handle.contextId,
    isNamed: handle.request.opensContext !== true,
    messages: (options = {}) => messagesOf(handle, options),
    tasks: async ({ limit, before } = {}) =>
      handle.conversation.earlierTasks({ limit: bounded(limit, TASKS), before, artifacts: true }),
    // A copy: a run may change what it gets.
    get: async (key) => structuredClone(await handle.conversation.value(checkedKey(key))) as never,
    set: (key, value) => leavable(changed(handle, key, () => storedValue(value, key))),
    share: (subjects) => leavable(Promise.resolve(subjects).then((named) => handle.conversation.share(named))),
    delete: (key) => leavable(changed(handle, key, () => undefined)),
  };
}

async function changed(handle: RunHandle, key: string, value: () => JsonValue | undefined): Promise<void> {
  await handle.conversation.change(checkedKey(key), value());
}

async function messagesOf(handle: RunHandle, options: EarlierMessagesOptions): Promise<readonly Message[]> {
  const { includeCurrent = false, includeArtifacts = true } = options;
  const limit = bounded(options.limit, MESSAGES);
  let messages: readonly Message[] = includeCurrent ? [...handle.history, handle.message] : [];
  let { before } = options;
  while (messages.length < limit) {
    const tasks = await handle.conversation.earlierTasks({ limit: PAGE, before, artifacts: includeArtifacts });
    messages = [...tasks.flatMap(talkOf), ...messages];
    if (tasks.length < PAGE) break;
    before = tasks[0]?.id;
  }
  return messages.slice(-limit);
}

/** The messages of a task; its result comes before the message that ended it. */
function talkOf({ id, contextId, history, artifacts, status }: Task): readonly Message[] {
  const result = artifacts.length > 0 ? [resultMessage(id, contextId, artifacts)] : [];
  return [...history, ...result, ...(status.message ? [status.message] : [])];
}

function resultMessage(taskId: string, contextId: string, artifacts: readonly Artifact[]): Message {
  const parts = artifacts.flatMap((artifact) => artifact.parts);
  return { messageId: `${taskId}/artifacts`, role: 'agent', taskId, contextId, parts };
}

function bounded(
  limit: number | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (limit === undefined) return usual;
  if (!Number.isInteger(limit) || limit < 1) throw new TypeError(`A limit must be a whole number from 1, not ${limit}`);
  return Math.min(limit, most);
}

function checkedKey(key: string): string {
  if (typeof key === 'string' && key !== '') return key;
  throw new TypeError('What a context keeps needs a name');
}
