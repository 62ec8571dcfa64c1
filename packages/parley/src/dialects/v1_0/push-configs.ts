import type { PushAuthentication, PushConfig, PushConfigPage } from '../../model/operations.ts';
import type { Members, Read } from '../wire/members.ts';

interface WirePushConfig {
  id?: string;
  taskId?: string;
  url: string;
  token?: string;
  authentication?: { scheme: string; credentials?: string };
}

interface WirePushConfigPage {
  configs: WirePushConfig[];
  nextPageToken?: string;
}

export function encodePushConfig(config: PushConfig): WirePushConfig {
  const wire: WirePushConfig = { url: config.url };
  if (config.id) wire.id = config.id;
  if (config.taskId) wire.taskId = config.taskId;
  if (config.token) wire.token = config.token;
  if (config.authentication !== undefined) {
    const { scheme, credentials } = config.authentication;
    wire.authentication = credentials ? { scheme, credentials } : { scheme };
  }
  return wire;
}

/** `configs` is written even when empty: no reader is the worse for it, and a hand-written one may iterate over it. */
export function encodePushConfigPage(page: PushConfigPage): WirePushConfigPage {
  const wire: WirePushConfigPage = { configs: page.configs.map(encodePushConfig) };
  if (page.nextPageToken !== '') wire.nextPageToken = page.nextPageToken;
  return wire;
}

/** A config for a task that the request names elsewhere, or that is yet to be made: its own ids are only checked. */
export function readPushConfig(members: Members): PushConfig {
  members.text('tenant');
  members.text('taskId', 'task_id');
  return readWebhook(members);
}

function readWebhook(members: Members): PushConfig {
  return {
    url: members.requiredText('url', undefined, 'fieldLength'),
    id: members.text('id'),
    token: members.text('token', undefined, 'fieldLength'),
    authentication: members.object('authentication', undefined, readAuthentication),
  };
}

export function readPushConfigOfTask(members: Members): PushConfig & { readonly taskId: string } {
  const { url, id, token, authentication } = readWebhook(members);
  return { url, id, taskId: members.requiredText('taskId', 'task_id'), token, authentication };
}

/** A config in a server's answer; `taskId` stands in where it does not name its task. */
export function readReceivedPushConfig(taskId: string): Read<PushConfig> {
  return (members) => {
    const { url, id, token, authentication } = readWebhook(members);
    return { url, id, taskId: members.text('taskId', 'task_id') ?? taskId, token, authentication };
  };
}

function readAuthentication(members: Members): PushAuthentication {
  return { scheme: members.requiredText('scheme'), credentials: members.text('credentials', undefined, 'fieldLength') };
}
