import type { PushConfig, PushConfigPage } from '../../../model/operations.ts';
import { encodePushConfig, type WirePushConfig } from '../push-configs.ts';

/** The name holds the ids of the task and of the config (reference: v03 §9). */
export interface WireTaskPushConfig {
  name: string;
  pushNotificationConfig: WirePushConfig;
}

export interface WirePushConfigPage {
  configs: WireTaskPushConfig[];
  nextPageToken?: string;
}

/** `taskId` stands in where the config itself does not name its task. */
export function encodeTaskPushConfig(config: PushConfig, taskId = ''): WireTaskPushConfig {
  const name = `tasks/${config.taskId ?? taskId}/pushNotificationConfigs/${config.id ?? ''}`;
  return { name, pushNotificationConfig: encodePushConfig(config) };
}

export function encodePushConfigPage(page: PushConfigPage, taskId?: string): WirePushConfigPage {
  const wire: WirePushConfigPage = { configs: page.configs.map((config) => encodeTaskPushConfig(config, taskId)) };
  if (page.nextPageToken !== '') wire.nextPageToken = page.nextPageToken;
  return wire;
}
