import { randomUUID } from 'node:crypto';
import {
  type Artifact,
  Role,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  TaskState,
} from '@a2a-js/sdk';

/** The messages that Parley sends, as the SDK's generated code writes them. */
export function newTask(message: Task['history'][number]): Task {
  const id = randomUUID();
  const contextId = randomUUID();
  const history = [{ ...message, role: Role.ROLE_USER, contextId, taskId: id }];
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED);
  return { id, contextId, status, artifacts: [], history, metadata: undefined };
}

/** The same task with its result. */
export function completed(task: Task, text: string): Task {
  const artifacts = [artifactOf(randomUUID(), text)];
  return { ...task, status: statusOf(TaskState.TASK_STATE_COMPLETED), artifacts };
}

export function taskResponse(task: Task): StreamResponse {
  return { payload: { $case: 'task', value: task } };
}

export function statusResponse({ id: taskId, contextId }: Task, state: TaskState): StreamResponse {
  const value = { taskId, contextId, status: statusOf(state), metadata: undefined };
  return { payload: { $case: 'statusUpdate', value } };
}

export function chunkResponse({ id: taskId, contextId }: Task, artifactId: string, text: string): StreamResponse {
  const artifact = artifactOf(artifactId, text);
  const value: TaskArtifactUpdateEvent = {
    taskId,
    contextId,
    artifact,
    append: true,
    lastChunk: false,
    metadata: undefined,
  };
  return { payload: { $case: 'artifactUpdate', value } };
}

function artifactOf(artifactId: string, text: string): Artifact {
  const part = { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' };
  return { artifactId, name: '', description: '', parts: [part], metadata: undefined, extensions: [] };
}

function statusOf(state: TaskState): NonNullable<Task['status']> {
  return { state, message: undefined, timestamp: new Date().toISOString() };
}
