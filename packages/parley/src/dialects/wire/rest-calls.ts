import { invalidParams } from '../../model/errors/errors.ts';
import type { PushConfigRef } from '../../model/operations.ts';
import type { RestCallRequest } from '../calling.ts';
import type { RestPaths, WireValue } from '../dialect.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The requests of the routes that both versions have (reference: v1-bindings §5.2), below the prefix of each. */
export interface RestCalls {
  readonly sendMessage: (tenant: string, body: WireValue) => RestCallRequest;
  readonly sendStreamingMessage: (tenant: string, body: WireValue) => RestCallRequest;
  readonly getTask: (tenant: string, id: string, query: Query) => RestCallRequest;
  readonly listTasks: (tenant: string, query: Query) => RestCallRequest;
  readonly cancelTask: (tenant: string, id: string, body: WireValue) => RestCallRequest;
  readonly subscribeToTask: (tenant: string, id: string, body: WireValue) => RestCallRequest;
  readonly createPushConfig: (tenant: string, taskId: string, body: WireValue) => RestCallRequest;
  readonly getPushConfig: (ref: PushConfigRef) => RestCallRequest;
  readonly listPushConfigs: (tenant: string, taskId: string, query: Query) => RestCallRequest;
  readonly deletePushConfig: (ref: PushConfigRef) => RestCallRequest;
  readonly getExtendedCard: (tenant: string) => RestCallRequest;
}

export function restCalls(paths: RestPaths): RestCalls {
  const base = (tenant: string) => {
    const prefix = paths.prefix === undefined ? '' : `/${paths.prefix}`;
    return tenant !== '' && paths.tenants ? `${prefix}/${segment('tenant', tenant)}` : prefix;
  };
  const task = (tenant: string, id: string) => `${base(tenant)}/tasks/${segment('id', id)}`;
  const configs = (tenant: string, taskId: string) => `${task(tenant, taskId)}/pushNotificationConfigs`;
  const config = ({ tenant, taskId, id }: PushConfigRef) => `${configs(tenant, taskId)}/${segment('id', id)}`;
  return {
    sendMessage: (tenant, body) => post(`${base(tenant)}/message:send`, body),
    sendStreamingMessage: (tenant, body) => post(`${base(tenant)}/message:stream`, body),
    getTask: (tenant, id, query) => get(task(tenant, id), query),
    listTasks: (tenant, query) => get(`${base(tenant)}/tasks`, query),
    cancelTask: (tenant, id, body) => post(`${task(tenant, id)}:cancel`, body),
    subscribeToTask: (tenant, id, body) => ({ ...post(`${task(tenant, id)}:subscribe`, body), otherVerb: 'GET' }),
    createPushConfig: (tenant, taskId, body) => post(configs(tenant, taskId), body),
    getPushConfig: (ref) => get(config(ref), {}),
    listPushConfigs: (tenant, taskId, query) => get(configs(tenant, taskId), query),
    deletePushConfig: (ref) => ({ verb: 'DELETE', path: config(ref), query: {}, body: undefined }),
    getExtendedCard: (tenant) => get(`${base(tenant)}/${paths.extendedCard}`, {}),
  };
}

function post(path: string, body: WireValue): RestCallRequest {
  return { verb: 'POST', path, query: {}, body };
}

function get(path: string, query: Query): RestCallRequest {
  const set = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    verb: 'GET',
    path,
    query: Object.fromEntries(set.map(([name, value]) => [name, String(value)])),
    body: undefined,
  };
}

/** An empty segment would be another route. `.` and `..` would be taken for steps in the path even when encoded. */
function segment(field: string, value: string): string {
  if (value === '') throw invalidParams({ field, description: 'must not be empty over HTTP+JSON' });
  if (value === '.' || value === '..') throw invalidParams({ field, description: `must not be "${value}"` });
  if (!value.isWellFormed()) throw invalidParams({ field, description: 'must be text that UTF-8 can carry' });
  return encodeURIComponent(value);
}
