import type { JsonObject } from './basics/json.ts';
import type { AgentCard } from './card.ts';
import type { TaskState } from './states.ts';
import type { Message, Task } from './task.ts';

export type Capability = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

export interface Operation {
  /** True where the response is a stream of events. */
  readonly stream: boolean;
  /** The card's flag without which the operation is refused (reference: v1-operations §3). */
  readonly capability?: Capability;
}

/** THE table of operations: routing, dialects, clients and documents derive from it. */
export const OPERATIONS = {
  sendMessage: { stream: false },
  sendStreamingMessage: { stream: true, capability: 'streaming' },
  getTask: { stream: false },
  listTasks: { stream: false },
  cancelTask: { stream: false },
  subscribeToTask: { stream: true, capability: 'streaming' },
  createPushConfig: { stream: false, capability: 'pushNotifications' },
  getPushConfig: { stream: false, capability: 'pushNotifications' },
  listPushConfigs: { stream: false, capability: 'pushNotifications' },
  deletePushConfig: { stream: false, capability: 'pushNotifications' },
  getExtendedCard: { stream: false, capability: 'extendedAgentCard' },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

interface Routed {
  /** The tenant that the request names; '' where it names none. */
  readonly tenant: string;
}

export interface PushAuthentication {
  readonly scheme: string;
  readonly credentials?: string | undefined;
}

export interface PushConfig {
  readonly url: string;
  readonly id?: string | undefined;
  readonly taskId?: string | undefined;
  readonly token?: string | undefined;
  readonly authentication?: PushAuthentication | undefined;
}

export interface SendInput extends Routed {
  readonly message: Message;
  readonly acceptedOutputModes: readonly string[];
  readonly returnImmediately: boolean;
  readonly historyLength?: number | undefined;
  readonly pushConfig?: PushConfig | undefined;
  readonly metadata?: JsonObject | undefined;
  /** The answer must be a task, never a bare message. */
  readonly asTask?: boolean | undefined;
  /** The most milliseconds that the turn may take. */
  readonly timeout?: number | undefined;
  /** The model turns left for the task and the agents it calls. */
  readonly maxTurns?: number | undefined;
  readonly priority?: Priority | undefined;
  /** The caller's name for the work that this task is part of. */
  readonly trace?: string | undefined;
  /**
   * The message brings the result that a task waits for. Where it names none, it goes to the one that it references and
   * that waits for its caller.
   */
  readonly bringsResult?: boolean | undefined;
  /** The id of the status message that it answers: the task must still show that one. */
  readonly answers?: string | undefined;
  /** Callers of this kind run whatever tool they are asked for and declare none. */
  readonly toolsUndeclared?: boolean | undefined;
  /** The caller wants to be told of the trace that its request is part of. */
  readonly showsTrace?: boolean | undefined;
  /** Tasks that the message references must be of its own context. */
  readonly referencesOwnContext?: boolean | undefined;
  /** The agent's card names kinds of parts, not media types: one that takes JSON takes data, whatever its type. */
  readonly modesAreKinds?: boolean | undefined;
}

/** Priorities, the lowest first. Waiting runs of a higher priority begin first. */
export const PRIORITIES = ['low', 'normal', 'high'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface GetTaskInput extends Routed {
  readonly id: string;
  readonly historyLength?: number | undefined;
}

/** A place in lists of tasks, which are in the order of their status's time and then of their ids, the latest first. */
export interface ListPosition {
  /** Milliseconds since the epoch. */
  readonly statusTime: number;
  readonly id: string;
}

export interface ListTasksInput extends Routed {
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Any of these, instead of `state`. */
  readonly states?: readonly TaskState[] | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly statusSince?: number | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
  /** The page begins after this position, instead of at `pageToken`. */
  readonly after?: ListPosition | undefined;
  readonly historyLength?: number | undefined;
  readonly includeArtifacts: boolean;
}

export interface CancelTaskInput extends Routed {
  readonly id: string;
  /** The caller's reason. */
  readonly reason?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface SubscribeInput extends Routed {
  readonly id: string;
  /** A task that has ended is not refused: it is shown as it is. */
  readonly alsoEnded?: boolean | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface PushConfigInput extends Routed {
  readonly config: PushConfig & { readonly taskId: string };
}

export interface PushConfigRef extends Routed {
  readonly taskId: string;
  readonly id: string;
}

export interface ListPushConfigsInput extends Routed {
  readonly taskId: string;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

export interface OperationInputs {
  readonly sendMessage: SendInput;
  readonly sendStreamingMessage: SendInput;
  readonly getTask: GetTaskInput;
  readonly listTasks: ListTasksInput;
  readonly cancelTask: CancelTaskInput;
  readonly subscribeToTask: SubscribeInput;
  readonly createPushConfig: PushConfigInput;
  readonly getPushConfig: PushConfigRef;
  readonly listPushConfigs: ListPushConfigsInput;
  readonly deletePushConfig: PushConfigRef;
  readonly getExtendedCard: Routed;
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  /** '' on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  /** Matches before paging. */
  readonly totalSize: number;
  readonly includeArtifacts: boolean;
}

/** A page as the engine lists it, for dialects whose page tokens have a form of their own. */
export interface ListedTasks extends TaskPage {
  /** The position that `nextPageToken` stands for, where the engine knows it. */
  readonly next?: ListPosition | undefined;
}

export interface PushConfigPage {
  readonly configs: readonly PushConfig[];
  readonly nextPageToken: string;
}

/** Results of the unary operations. */
export interface OperationResults {
  readonly sendMessage: Task | Message;
  readonly getTask: Task;
  readonly listTasks: ListedTasks;
  readonly cancelTask: Task;
  readonly createPushConfig: PushConfig;
  readonly getPushConfig: PushConfig;
  readonly listPushConfigs: PushConfigPage;
  readonly deletePushConfig: undefined;
  readonly getExtendedCard: AgentCard;
}

/** The operations on webhooks. */
export type PushOperationName = 'createPushConfig' | 'getPushConfig' | 'listPushConfigs' | 'deletePushConfig';

export type UnaryOperationName = keyof OperationResults;
export type StreamOperationName = Exclude<OperationName, UnaryOperationName>;

export function isStreamOperation(name: OperationName): name is StreamOperationName {
  return name === 'sendStreamingMessage' || name === 'subscribeToTask';
}
