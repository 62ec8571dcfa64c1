import type { Version } from '../table/rule-info.ts';

export type Operation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'createPush'
  | 'getPush'
  | 'listPush'
  | 'deletePush'
  | 'extendedCard';

/** JSON-RPC method names (reference: v1-bindings §1, v03 §2). */
export const METHODS: Readonly<Record<Version, Readonly<Partial<Record<Operation, string>>>>> = {
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    list: 'ListTasks',
    cancel: 'CancelTask',
    subscribe: 'SubscribeToTask',
    createPush: 'CreateTaskPushNotificationConfig',
    getPush: 'GetTaskPushNotificationConfig',
    listPush: 'ListTaskPushNotificationConfigs',
    deletePush: 'DeleteTaskPushNotificationConfig',
    extendedCard: 'GetExtendedAgentCard',
  },
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
    createPush: 'tasks/pushNotificationConfig/set',
    getPush: 'tasks/pushNotificationConfig/get',
    listPush: 'tasks/pushNotificationConfig/list',
    deletePush: 'tasks/pushNotificationConfig/delete',
    extendedCard: 'agent/getAuthenticatedExtendedCard',
  },
};

/** The ids in a request, whatever its form. */
export interface Naming {
  readonly taskId?: string | undefined;
  readonly configId?: string | undefined;
}

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** The place of the parameters. */
  readonly carries: 'body' | 'query' | 'nothing';
}

/** The HTTP+JSON route of an operation below the interface's URL (reference: v1-bindings §5.2, v03 §8). */
export function routeOf(operation: Operation, version: Version, { taskId = '', configId = '' }: Naming): Route {
  const prefix = version === '0.3' ? '/v1' : '';
  const task = `${prefix}/tasks/${encodeURIComponent(taskId)}`;
  const configs = `${task}/pushNotificationConfigs`;
  switch (operation) {
    case 'send':
      return { method: 'POST', path: `${prefix}/message:send`, carries: 'body' };
    case 'stream':
      return { method: 'POST', path: `${prefix}/message:stream`, carries: 'body' };
    case 'get':
      return { method: 'GET', path: task, carries: 'query' };
    case 'list':
      return { method: 'GET', path: `${prefix}/tasks`, carries: 'query' };
    case 'cancel':
      return { method: 'POST', path: `${task}:cancel`, carries: 'body' };
    case 'subscribe':
      return { method: 'POST', path: `${task}:subscribe`, carries: 'nothing' };
    case 'createPush':
      return { method: 'POST', path: configs, carries: 'body' };
    case 'listPush':
      return { method: 'GET', path: configs, carries: 'query' };
    case 'getPush':
      return { method: 'GET', path: `${configs}/${encodeURIComponent(configId)}`, carries: 'query' };
    case 'deletePush':
      return { method: 'DELETE', path: `${configs}/${encodeURIComponent(configId)}`, carries: 'query' };
    case 'extendedCard':
      return { method: 'GET', path: version === '0.3' ? '/v1/card' : '/extendedAgentCard', carries: 'query' };
  }
}
