import type { PushAuthentication, PushConfig, PushConfigPage } from '../../model/operations.ts';
import type { Members } from '../wire/members.ts';

export interface WirePushConfig {
  id?: string;
  url: string;
  token?: string;
  authentication?: { schemes: readonly string[]; credentials?: string };
}

interface WireTaskPushConfig {
  taskId: string;
  pushNotificationConfig: WirePushConfig;
}

/** Stands in for a config that could not be read. */
export const NO_PUSH_CONFIG: PushConfig = { url: '' };

export function encodePushConfig(config: PushConfig): WirePushConfig {
  const wire: WirePushConfig = { url: config.url };
  if (config.id) wire.id = config.id;
  if (config.token) wire.token = config.token;
  if (config.authentication !== undefined) {
    const { scheme, credentials } = config.authentication;
    wire.authentication = credentials ? { schemes: [scheme], credentials } : { schemes: [scheme] };
  }
  return wire;
}

/** `taskId` stands in where the config itself does not name its task. */
export function encodeTaskPushConfig(config: PushConfig, taskId = ''): WireTaskPushConfig {
  return { taskId: config.taskId ?? taskId, pushNotificationConfig: encodePushConfig(config) };
}

/** A plain array, `[]` if there is none: 0.3 has no pages of configs. */
export function encodeTaskPushConfigs(page: PushConfigPage, taskId?: string): readonly WireTaskPushConfig[] {
  return page.configs.map((config) => encodeTaskPushConfig(config, taskId));
}

/** A config for a task that the request names elsewhere, or that is yet to be made. */
export function readPushConfig(members: Members): PushConfig {
  return {
    url: members.requiredText('url', undefined, 'fieldLength'),
    id: members.text('id'),
    token: members.text('token', undefined, 'fieldLength'),
    authentication: members.object('authentication', undefined, readAuthentication),
  };
}

/** The first scheme counts, the others are lost (reference: mapping §8). */
function readAuthentication(members: Members): PushAuthentication {
  const given = members.value('schemes');
  if (given === undefined) members.reject('schemes', 'is required');
  if (Array.isArray(given) && (given.length === 0 || given[0] === '')) members.reject('schemes', 'must not be empty');
  return {
    scheme: members.texts('schemes')?.[0] ?? '',
    credentials: members.text('credentials', undefined, 'fieldLength'),
  };
}
