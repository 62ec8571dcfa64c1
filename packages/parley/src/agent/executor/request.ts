import type { Message, Task } from '../../model/task.ts';
import type { TaskContext } from '../task-context.ts';
import * as shapes03 from './shapes-of-0-3.ts';
import * as shapes1 from './shapes-of-1.ts';
import type { ExecutorSdk } from './types.ts';

/** The number of recent tasks searched for those that a message refers to. */
const TASKS_BACK = 100;

/**
 * The request context that an executor is given for a message, in the shapes of its SDK. `before` is the task that the
 * message goes on with.
 */
export async function requestContext(task: TaskContext, given: Message, before: Task | undefined, sdk: ExecutorSdk) {
  // An executor may change what it is given.
  const message = structuredClone(given);
  const earlier = structuredClone(before);
  const { id: taskId, contextId, metadata, acceptedOutputModes } = task;
  const referenced = await referencedTasks(task, message);
  const common = { taskId, contextId, context: callContext(task, sdk) };
  if (sdk === '0.3') {
    return {
      ...common,
      userMessage: shapes03.message(message),
      task: earlier && shapes03.task(earlier),
      referenceTasks: referenced?.map(shapes03.task),
    };
  }
  const userMessage = shapes1.message(message);
  return {
    ...common,
    userMessage,
    request: {
      tenant: task.user.tenant,
      message: userMessage,
      configuration: {
        acceptedOutputModes: [...acceptedOutputModes],
        taskPushNotificationConfig: undefined,
        returnImmediately: false,
      },
      metadata: structuredClone(metadata),
    },
    task: earlier && shapes1.task(earlier),
    referenceTasks: referenced?.map(shapes1.task),
  };
}

/** The tasks of this conversation that the message refers to. */
async function referencedTasks(task: TaskContext, { referenceTaskIds = [] }: Message): Promise<Task[] | undefined> {
  if (referenceTaskIds.length === 0) return undefined;
  const tasks = await task.context.tasks({ limit: TASKS_BACK });
  return tasks.filter(({ id }) => referenceTaskIds.includes(id));
}

/** The SDK's context of the call, without its headers. */
function callContext(task: TaskContext, sdk: ExecutorSdk) {
  const { subject, tenant } = task.user;
  const activated: string[] = [];
  return {
    user: { isAuthenticated: subject !== '', userName: subject },
    tenant: tenant === '' ? undefined : tenant,
    requestedVersion: sdk === '0.3' ? '0.3' : '1.0',
    requestedExtensions: [...task.extensions],
    get activatedExtensions(): readonly string[] | undefined {
      return activated.length > 0 ? activated : undefined;
    },
    addActivatedExtension(uri: string): void {
      if (!activated.includes(uri)) activated.push(uri);
    },
    state: new Map<string, unknown>([['headers', {}]]),
  };
}
