import type { AgentCard } from '../../model/card.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { abortable, linked } from '../call/signals.ts';
import { systemTiming } from '../call/timing.ts';
import type { Content } from '../message/content.ts';
import type { CallOptions, SendOptions } from '../options.ts';
import type { TaskStream } from '../stream/task-stream.ts';

/** The client as a use of its agent needs it. */
export interface TaskCaller {
  readonly card: AgentCard | undefined;
  /** Milliseconds for every call, where the user has set it. */
  readonly timeout: number | undefined;
  agentCard(options?: CallOptions): Promise<AgentCard>;
  sendMessageStream(content: Content, options?: SendOptions): TaskStream;
  getTask(id: string, options?: CallOptions): Promise<Task>;
}

/** The longest wait for the id of a task that is to be canceled, and for the agent's response to that, in milliseconds. */
const CANCEL_PATIENCE_MS = 30_000;

/** One use of an agent. */
export interface TaskUse {
  readonly stream: TaskStream;
  /** Aborted by the user's signal, and when the time is up: the task is canceled then. */
  readonly signal: AbortSignal;
  /** Ends the use, and cancels its task. */
  readonly stop: (reason?: unknown) => void;
  /** The task as the agent has it now. */
  readonly task: () => Promise<Task>;
  /** Lets go of the user's signal; to be called when the task is over. */
  readonly release: () => void;
}

/**
 * Sends, and cancels the task where the user's signal or the time ends the use before the agent does. The connection is kept
 * until the agent was told, since a task whose id is not known yet cannot be canceled. The caller reads the stream at once.
 */
export async function useAgent(caller: TaskCaller, content: Content, options: SendOptions): Promise<TaskUse> {
  const { signal: given, ...settings } = options;
  given?.throwIfAborted();
  const limit = options.timeout ?? caller.timeout ?? 0;
  const use = linked(given);
  const stopTimer = systemTiming.after(limit > 0 ? limit : Number.POSITIVE_INFINITY, () =>
    use.abort(new A2AError('TIMEOUT', `No response within ${limit} ms`)),
  );
  const release = () => {
    stopTimer();
    use.release();
  };
  try {
    await findCard(caller, use.signal);
    use.signal.throwIfAborted();
  } catch (error) {
    release();
    throw error;
  }
  const connection = new AbortController();
  const stream = caller.sendMessageStream(content, {
    ...settings,
    signal: connection.signal,
    // The use ends first, and the connection is then needed for the task's id.
    timeout: limit > 0 ? limit + CANCEL_PATIENCE_MS : options.timeout,
    // An agent that does not stream would otherwise name its task only at the end of it.
    returnImmediately: settings.returnImmediately ?? (caller.card?.capabilities.streaming ? undefined : true),
  });
  use.signal.addEventListener('abort', () => void cancelAndClose(stream, connection, use.signal), { once: true });
  const { tenant, headers } = settings;
  const task = async () => caller.getTask(await stream.id, { tenant, headers, signal: use.signal });
  return { stream, signal: use.signal, stop: use.abort, task, release };
}

/**
 * The end of the turn. It is that of the stream, or comes before it where the agent waits for an authorization: a stream goes
 * on then, and nobody here could give it.
 */
export async function endOfTurn({ stream, signal, task }: TaskUse): Promise<Task | Message> {
  const wait = async () => {
    for await (const event of stream) if (needsAuthorization(event)) return task();
    return stream.result;
  };
  return abortable(wait(), signal);
}

export function needsAuthorization(event: StreamEvent): boolean {
  const status = event.kind === 'task' ? event.task.status : event.kind === 'status' ? event.status : undefined;
  return status?.state === 'auth-required';
}

/** Agents without a card are called as well. */
async function findCard(caller: TaskCaller, signal: AbortSignal): Promise<void> {
  if (caller.card) return;
  try {
    await caller.agentCard({ signal });
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'INVALID_RESPONSE') throw error;
  }
}

/** Nobody waits for it, so it never fails. */
async function cancelAndClose(stream: TaskStream, connection: AbortController, { reason }: AbortSignal): Promise<void> {
  const close = () => connection.abort(reason);
  const stopTimer = systemTiming.after(CANCEL_PATIENCE_MS, close);
  await stream.cancel().catch(() => {});
  stopTimer();
  close();
}
