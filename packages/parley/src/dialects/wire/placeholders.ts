import type { Artifact, ArtifactUpdate, Message, StatusUpdate, Task, TaskStatus } from '../../model/task.ts';

// Stand in for values that could not be read, until the whole is refused for them.

export const NO_MESSAGE: Message = { messageId: '', role: 'user', parts: [] };
export const NO_STATUS: TaskStatus = { state: 'working', timestamp: '' };
export const NO_TASK: Task = { id: '', contextId: '', status: NO_STATUS, artifacts: [], history: [] };
export const NO_ARTIFACT: Artifact = { artifactId: '', parts: [] };
export const NO_STATUS_UPDATE: StatusUpdate = { kind: 'status', taskId: '', contextId: '', status: NO_STATUS };
export const NO_ARTIFACT_UPDATE: ArtifactUpdate = {
  kind: 'artifact',
  taskId: '',
  contextId: '',
  artifact: NO_ARTIFACT,
  append: false,
  lastChunk: false,
};
