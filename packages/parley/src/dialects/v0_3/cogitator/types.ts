import type { JsonObject } from '../../../model/basics/json.ts';

/*
 * The objects of the seed S3 as it spells them. What it does not have, but a peer may be glad of, is optional.
 */

export type TaskState = 'working' | 'input-required' | 'completed' | 'failed' | 'canceled' | 'rejected';

export type TextPart = {
  type: 'text';
  text: string;
  metadata?: JsonObject | undefined;
};

/** Flat: the content or its address stands in the part itself. Exactly one of `uri` and `bytes`. */
export type FilePart = {
  type: 'file';
  uri?: string | undefined;
  /** Base64. */
  bytes?: string | undefined;
  mimeType?: string | undefined;
  name?: string | undefined;
  metadata?: JsonObject | undefined;
};

export type DataPart = {
  type: 'data';
  mimeType: string;
  data: Record<string, unknown>;
  metadata?: JsonObject | undefined;
};

export type Part = TextPart | FilePart | DataPart;

export type A2AMessage = {
  role: 'user' | 'agent';
  parts: Part[];
  messageId?: string | undefined;
  taskId?: string | undefined;
  contextId?: string | undefined;
  referenceTaskIds?: string[] | undefined;
  metadata?: JsonObject | undefined;
  extensions?: string[] | undefined;
};

export type Artifact = {
  id: string;
  parts: Part[];
  mimeType?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  metadata?: JsonObject | undefined;
  extensions?: string[] | undefined;
};

export type TaskStatus = {
  state: TaskState;
  timestamp: string;
  message?: A2AMessage | undefined;
};

/** `history` and `artifacts` are always there. */
export type A2ATask = {
  id: string;
  contextId: string;
  status: TaskStatus;
  history: A2AMessage[];
  artifacts: Artifact[];
  metadata?: Record<string, unknown> | undefined;
};

/** The document names its events without spelling them: they are those of 0.3, told apart by `kind` or `type`. */
export type TaskStatusUpdateEvent = {
  kind: 'status-update';
  type: 'status-update';
  taskId: string;
  contextId: string;
  status: TaskStatus;
  final: boolean;
  metadata?: JsonObject | undefined;
};

export type TaskArtifactUpdateEvent = {
  kind: 'artifact-update';
  type: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: Artifact;
  append: boolean;
  lastChunk: boolean;
  metadata?: JsonObject | undefined;
};

export type A2AStreamEvent = TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

/** A task in a stream: only where the stream begins in the middle of one that has results already. */
export type TaskSnapshotEvent = A2ATask & { kind: 'task'; type: 'task' };

export type AgentProvider = {
  name: string;
  url?: string | undefined;
  contactEmail?: string | undefined;
};

export type A2ACapabilities = {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard?: boolean | undefined;
};

export type AgentSkill = {
  id: string;
  name: string;
  description?: string | undefined;
  inputModes: string[];
  outputModes: string[];
  examples?: string[] | undefined;
  /** JSON Schema of what the skill takes. */
  inputSchema?: JsonObject | undefined;
};

export type AgentCard = {
  name: string;
  description?: string | undefined;
  url: string;
  /** The version of the protocol: `0.3`. */
  version: string;
  provider?: AgentProvider | undefined;
  capabilities: A2ACapabilities;
  skills: AgentSkill[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  securitySchemes?: Record<string, object> | undefined;
  security?: Record<string, string[]>[] | undefined;
};

export type SendMessageConfiguration = {
  acceptedOutputModes?: string[] | undefined;
  historyLength?: number | undefined;
  /** Default true: the answer is the task at the end of its turn. */
  blocking?: boolean | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
};
