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

/**
 * The proto's request, which the servers of the Python and Go SDKs read; that of the JavaScript SDK reads the config with
 * its name alone. No body serves all of them: Python's refuses members that are not the proto's.
 */
export interface WireCreatePushConfig {
  parent: string;
  configId?: string;
  config: WireTaskPushConfig;
}

export function encodeCreatePushConfig(config: PushConfig & { readonly taskId: string }): WireCreatePushConfig {
  const wire: WireCreatePushConfig = { parent: `tasks/${config.taskId}`, config: encodeTaskPushConfig(config) };
  if (config.id !== undefined) wire.configId = config.id;
  return wire;
}

export function encodePushConfigPage(page: PushConfigPage, taskId?: string): WirePushConfigPage {
  const wire: WirePushConfigPage = { configs: page.configs.map((config) => encodeTaskPushConfig(config, taskId)) };
  if (page.nextPageToken !== '') wire.nextPageToken = page.nextPageToken;
  return wire;
}
