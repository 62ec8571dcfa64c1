import type * as v03 from '../../v0_3/index.ts';

/** A tool that the client is to run. */
export interface ToolUsePart extends v03.PartBase {
  kind: 'tool-use';
  toolUseId: string;
  name: string;
  args?: unknown;
}

/** The result of a tool, or the answer to an input request. */
export interface ToolResultPart extends v03.PartBase {
  kind: 'tool-result';
  /** The id of the tool-use, or the `requestId` of the input request. */
  toolUseId: string;
  result?: unknown;
  error?: unknown;
}

export type Part = v03.Part | ToolUsePart | ToolResultPart;

/** An agent's request for input from its client. */
export interface InputRequest {
  kind: 'input-request';
  prompt: string;
  sensitive: boolean;
  requestId: string;
}

export interface Message extends Omit<v03.Message, 'parts'> {
  parts: Part[];
  inputRequest?: InputRequest;
}

/** `started` is the older name of `submitted`. */
export type TaskState = v03.TaskState | 'started';

export interface TaskStatus extends Omit<v03.TaskStatus, 'state' | 'message'> {
  state: TaskState;
  message?: Message;
}

export interface Artifact extends Omit<v03.Artifact, 'parts'> {
  parts: Part[];
}

export interface Task extends Omit<v03.Task, 'status' | 'history' | 'artifacts'> {
  status: TaskStatus;
  history?: Message[];
  artifacts?: Artifact[];
}

export interface TaskStatusUpdateEvent extends Omit<v03.TaskStatusUpdateEvent, 'status'> {
  status: TaskStatus;
}

export interface TaskArtifactUpdateEvent extends Omit<v03.TaskArtifactUpdateEvent, 'artifact'> {
  artifact: Artifact;
  /** The first part of the artifact's: in older spellings an update has no more than one. */
  part?: Part;
}

export interface MessageSendParams {
  message: Message;
  configuration?: {
    acceptedOutputModes?: string[];
    historyLength?: number;
  };
}

export type A2AStreamEvent = Task | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;
