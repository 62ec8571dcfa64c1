import { isTerminal } from '../../../model/states.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from '../../../model/task.ts';
import { decode, type Members } from '../../wire/members.ts';
import { isFinal } from '../task/events.ts';
import { encodeArtifact } from './artifacts.ts';
import { readReceivedMessage } from './messages.ts';
import { encodeStatus, encodeTask, readArtifactUpdate, readStatusUpdate, readTask, repliedTask } from './tasks.ts';
import type { TaskArtifactUpdateEvent, TaskSnapshotEvent, TaskStatusUpdateEvent } from './types.ts';

type WireEvent = TaskStatusUpdateEvent | TaskArtifactUpdateEvent | TaskSnapshotEvent;

/** Streams of the document are of status and artifact updates only: a task without results is shown as its status. */
export function encodeEvent(event: StreamEvent): WireEvent {
  switch (event.kind) {
    case 'artifact':
      return encodeArtifactUpdate(event);
    case 'status':
      return encodeStatusUpdate(event);
    case 'task': {
      const { task } = event;
      if (task.artifacts.length > 0) return { kind: 'task', type: 'task', ...encodeTask(task) };
      const shown = encodeStatusUpdate({ ...task, kind: 'status', taskId: task.id });
      // A question that a stream begins with is the one that is being answered: more is to come.
      return { ...shown, final: isTerminal(task.status.state) };
    }
    case 'message': {
      const task = repliedTask(event.message);
      return encodeStatusUpdate({ ...task, kind: 'status', taskId: task.id });
    }
  }
}

export function decodeEvent(value: unknown): StreamEvent {
  return decode(value, readEvent, 'event');
}

/** By `kind`, else by `type`, else by what only such an event has. */
export function readEvent(members: Members): StreamEvent {
  switch (members.value('kind') ?? members.value('type') ?? shapeOf(members)) {
    case 'artifact-update':
      return readArtifactUpdate(members);
    case 'status-update':
      return readStatusUpdate(members);
    case 'message':
      return { kind: 'message', message: readReceivedMessage(members) };
    default:
      return { kind: 'task', task: readTask(members) };
  }
}

function shapeOf(members: Members): string {
  if (members.has('artifact')) return 'artifact-update';
  if (members.has('status')) return members.has('id') ? 'task' : 'status-update';
  return members.has('parts') ? 'message' : 'task';
}

function encodeStatusUpdate({ taskId, contextId, status, metadata }: StatusUpdate): TaskStatusUpdateEvent {
  const wire: TaskStatusUpdateEvent = {
    kind: 'status-update',
    type: 'status-update',
    taskId,
    contextId,
    status: encodeStatus(status),
    final: isFinal(status.state),
  };
  if (metadata !== undefined) wire.metadata = metadata;
  return wire;
}

function encodeArtifactUpdate(update: ArtifactUpdate): TaskArtifactUpdateEvent {
  const wire: TaskArtifactUpdateEvent = {
    kind: 'artifact-update',
    type: 'artifact-update',
    taskId: update.taskId,
    contextId: update.contextId,
    artifact: encodeArtifact(update.artifact),
    append: update.append,
    lastChunk: update.lastChunk,
  };
  if (update.metadata !== undefined) wire.metadata = update.metadata;
  return wire;
}
