import type { AgentCard } from './agent-card.ts';
import type { JSONRPCErrorResponse, JSONRPCRequest, JSONRPCSuccessResponse } from './json-rpc.ts';
import type { Metadata } from './parts.ts';
import type {
  DeleteTaskPushNotificationConfigParams,
  GetTaskPushNotificationConfigParams,
  ListTaskPushNotificationConfigParams,
  PushNotificationConfig,
  TaskPushNotificationConfig,
} from './push-notifications.ts';
import type { A2AStreamEvent, Message, Task } from './tasks.ts';

export interface MessageSendConfiguration {
  /** Media types. */
  acceptedOutputModes?: string[];
  historyLength?: number;
  pushNotificationConfig?: PushNotificationConfig;
  /** Waits for the end of the turn. */
  blocking?: boolean;
}

export interface MessageSendParams {
  message: Message;
  configuration?: MessageSendConfiguration;
  metadata?: Metadata;
}

export interface TaskIdParams {
  id: string;
  metadata?: Metadata;
}

export interface TaskQueryParams extends TaskIdParams {
  historyLength?: number;
}

interface RequestOf<Method extends string, Params> extends JSONRPCRequest<Params> {
  method: Method;
  params: Params;
}

export interface SendMessageRequest extends RequestOf<'message/send', MessageSendParams> {}
export interface SendStreamingMessageRequest extends RequestOf<'message/stream', MessageSendParams> {}
export interface GetTaskRequest extends RequestOf<'tasks/get', TaskQueryParams> {}
export interface CancelTaskRequest extends RequestOf<'tasks/cancel', TaskIdParams> {}
export interface TaskResubscriptionRequest extends RequestOf<'tasks/resubscribe', TaskIdParams> {}
export interface SetTaskPushNotificationConfigRequest
  extends RequestOf<'tasks/pushNotificationConfig/set', TaskPushNotificationConfig> {}
/** A server takes the id of a task alone, too. */
export interface GetTaskPushNotificationConfigRequest
  extends RequestOf<'tasks/pushNotificationConfig/get', GetTaskPushNotificationConfigParams | TaskIdParams> {}
export interface ListTaskPushNotificationConfigRequest
  extends RequestOf<'tasks/pushNotificationConfig/list', ListTaskPushNotificationConfigParams> {}
export interface DeleteTaskPushNotificationConfigRequest
  extends RequestOf<'tasks/pushNotificationConfig/delete', DeleteTaskPushNotificationConfigParams> {}
export interface GetAuthenticatedExtendedCardRequest extends JSONRPCRequest<undefined> {
  method: 'agent/getAuthenticatedExtendedCard';
}

/** Any request; `method` tells which. */
export type A2ARequest =
  | SendMessageRequest
  | SendStreamingMessageRequest
  | GetTaskRequest
  | CancelTaskRequest
  | TaskResubscriptionRequest
  | SetTaskPushNotificationConfigRequest
  | GetTaskPushNotificationConfigRequest
  | ListTaskPushNotificationConfigRequest
  | DeleteTaskPushNotificationConfigRequest
  | GetAuthenticatedExtendedCardRequest;

export type SendMessageSuccessResponse = JSONRPCSuccessResponse<Task | Message>;
export type SendStreamingMessageSuccessResponse = JSONRPCSuccessResponse<A2AStreamEvent>;
export type GetTaskSuccessResponse = JSONRPCSuccessResponse<Task>;
export type CancelTaskSuccessResponse = JSONRPCSuccessResponse<Task>;
export type SetTaskPushNotificationConfigSuccessResponse = JSONRPCSuccessResponse<TaskPushNotificationConfig>;
export type GetTaskPushNotificationConfigSuccessResponse = JSONRPCSuccessResponse<TaskPushNotificationConfig>;
export type ListTaskPushNotificationConfigSuccessResponse = JSONRPCSuccessResponse<TaskPushNotificationConfig[]>;
export type DeleteTaskPushNotificationConfigSuccessResponse = JSONRPCSuccessResponse<null>;
export type GetAuthenticatedExtendedCardSuccessResponse = JSONRPCSuccessResponse<AgentCard>;

export type SendMessageResponse = SendMessageSuccessResponse | JSONRPCErrorResponse;
export type SendStreamingMessageResponse = SendStreamingMessageSuccessResponse | JSONRPCErrorResponse;
export type GetTaskResponse = GetTaskSuccessResponse | JSONRPCErrorResponse;
export type CancelTaskResponse = CancelTaskSuccessResponse | JSONRPCErrorResponse;
export type SetTaskPushNotificationConfigResponse = SetTaskPushNotificationConfigSuccessResponse | JSONRPCErrorResponse;
export type GetTaskPushNotificationConfigResponse = GetTaskPushNotificationConfigSuccessResponse | JSONRPCErrorResponse;
export type ListTaskPushNotificationConfigResponse =
  | ListTaskPushNotificationConfigSuccessResponse
  | JSONRPCErrorResponse;
export type DeleteTaskPushNotificationConfigResponse =
  | DeleteTaskPushNotificationConfigSuccessResponse
  | JSONRPCErrorResponse;
export type GetAuthenticatedExtendedCardResponse = GetAuthenticatedExtendedCardSuccessResponse | JSONRPCErrorResponse;
