import type { Metadata, Part } from './parts.ts';

export type TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required'
  | 'unknown';

export interface Message {
  kind: 'message';
  role: 'user' | 'agent';
  parts: Part[];
  /** Made by its sender. */
  messageId: string;
  taskId?: string;
  contextId?: string;
  referenceTaskIds?: string[];
  /** URIs. */
  extensions?: string[];
  metadata?: Metadata;
}

export interface TaskStatus {
  state: TaskState;
  message?: Message;
  /** ISO 8601. */
  timestamp?: string;
}

export interface Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part[];
  /** URIs. */
  extensions?: string[];
  metadata?: Metadata;
}

export interface Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: TaskStatus;
  history?: Message[];
  artifacts?: Artifact[];
  metadata?: Metadata;
}

export interface TaskStatusUpdateEvent {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: TaskStatus;
  /** The stream ends with it. */
  final: boolean;
  metadata?: Metadata;
}

export interface TaskArtifactUpdateEvent {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: Artifact;
  /** Adds to the artifact of this id; otherwise it replaces it. */
  append?: boolean;
  lastChunk?: boolean;
  metadata?: Metadata;
}

/** The result of one frame of a stream. */
export type A2AStreamEvent = Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;
