import type { Metadata } from './parts.ts';

export interface PushNotificationAuthenticationInfo {
  /** Such as `Bearer`. */
  schemes: string[];
  credentials?: string;
}

export interface PushNotificationConfig {
  id?: string;
  /** The address that gets notifications. */
  url: string;
  /** Sent with each of them. */
  token?: string;
  authentication?: PushNotificationAuthenticationInfo;
}

export interface TaskPushNotificationConfig {
  taskId: string;
  pushNotificationConfig: PushNotificationConfig;
}

/** `id` is that of the task, here and in the other parameters. */
export interface GetTaskPushNotificationConfigParams {
  id: string;
  pushNotificationConfigId?: string;
  metadata?: Metadata;
}

export interface ListTaskPushNotificationConfigParams {
  id: string;
  metadata?: Metadata;
}

export interface DeleteTaskPushNotificationConfigParams {
  id: string;
  pushNotificationConfigId: string;
  metadata?: Metadata;
}
