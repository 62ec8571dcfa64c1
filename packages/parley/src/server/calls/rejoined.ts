import type { A2AClient } from '../../client/client.ts';
import type { InputHandlers } from '../../client/input/inputs.ts';
import { streamOf, turnStream } from '../../client/stream/relayed.ts';
import type { TaskStream } from '../../client/stream/task-stream.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { RESUME_EXTENSION } from '../../model/card.ts';
import { isTerminal } from '../../model/states.ts';
import { isTask, type Message, type TaskStatus } from '../../model/task.ts';

/** The outcome of the beginning of a call. */
export interface Begun {
  readonly taskId?: string;
  readonly message?: Message;
  /** The position at which the turn of the call begins, in a task that was there before. */
  readonly from?: string;
}

export async function begun(stream: TaskStream, isContinued: boolean): Promise<Begun & JsonObject> {
  try {
    const taskId = await stream.id;
    const from = isContinued ? stream.lastEventId : undefined;
    return { taskId, ...(from !== undefined && { from }) };
  } catch (error) {
    const answer = await stream.result;
    if (isTask(answer)) throw error;
    return { message: answer } as unknown as Begun & JsonObject;
  }
}

export interface Rejoining extends InputHandlers {
  readonly client: A2AClient;
  readonly signal: AbortSignal;
  /** The client may answer questions by itself: only one that is still open ends the turn. */
  readonly mayAnswer: boolean;
}

/**
 * The child of a run that was lost, or of a call whose stream was left: from where the call began where that can be had, else as
 * it is. It ends with a question, as the call itself did, unless somebody answers it.
 */
export async function rejoined({ taskId, message, from }: Begun, call: Rejoining): Promise<TaskStream> {
  const { client, signal, mayAnswer, onInput, tools } = call;
  const cancelTask = (id: string) => client.cancelTask(id);
  if (taskId === undefined) return streamOf(message as Message, cancelTask);
  const { capabilities } = await client.agentCard({ signal });
  const canResume = capabilities.extensions.some(({ uri }) => uri === RESUME_EXTENSION);
  const getTask = () => client.getTask(taskId, { signal });
  const task = canResume ? undefined : await getTask();
  if (task && isTerminal(task.status.state)) return streamOf(task, cancelTask);
  const stream = client.subscribe(taskId, {
    signal,
    ...(canResume && { lastEventId: from ?? 0 }),
    ...(onInput && { onInput }),
    ...(tools && { tools }),
  });
  if (onInput || tools) return stream;
  const whole = canResume && from !== undefined ? getTask : undefined;
  const stillAsks = async (status: TaskStatus) => isSame(status, (await getTask()).status);
  return turnStream(stream, { cancelTask, whole, isEnd: mayAnswer ? stillAsks : undefined });
}

function isSame(one: TaskStatus, other: TaskStatus): boolean {
  return one.state === other.state && one.message?.messageId === other.message?.messageId;
}
