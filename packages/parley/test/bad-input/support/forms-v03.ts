import type { OperationName } from '../../../src/model/operations.ts';
import type { Calling, Form } from './forms.ts';
import { SCHEMA_V03 } from './schema-v03.ts';

const PUSH_CONFIG = {
  url: 'https://client.example.com/hook',
  id: 'config-1',
  token: 'opaque',
  authentication: { schemes: ['Bearer'], credentials: 's3cret' },
};

const ATTRIBUTES = { mimeType: 'text/plain', name: 'a.txt' };

const FULL_SEND = {
  message: {
    kind: 'message',
    messageId: 'm-1',
    role: 'user',
    parts: [
      { kind: 'text', text: 'hello', metadata: { a: 1 } },
      { kind: 'file', file: { bytes: 'aGk=', ...ATTRIBUTES } },
      { kind: 'file', file: { uri: 'https://files.example.com/a' } },
      { kind: 'data', data: { rows: [1, null] } },
    ],
    contextId: 'c-1',
    taskId: '',
    referenceTaskIds: ['t-0'],
    extensions: ['urn:example:one', 'urn:example:two'],
    metadata: { b: [2] },
  },
  configuration: {
    acceptedOutputModes: ['text/plain'],
    blocking: true,
    historyLength: 3,
    pushNotificationConfig: PUSH_CONFIG,
  },
  metadata: { c: { d: true } },
};

const FULL_PROTO_SEND = {
  message: {
    messageId: 'm-1',
    contextId: 'c-1',
    taskId: '',
    role: 'ROLE_USER',
    content: [
      { text: 'hello' },
      { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain' } },
      { file: { fileWithUri: 'https://files.example.com/a' } },
      { data: { data: { rows: [1, null] } } },
    ],
    metadata: { b: [2] },
    extensions: ['urn:example:one', 'urn:example:two'],
  },
  configuration: {
    acceptedOutputModes: ['text/plain'],
    blocking: true,
    historyLength: 3,
    pushNotification: PUSH_CONFIG,
  },
  metadata: { c: { d: true } },
};

type Operations = Readonly<Partial<Record<OperationName, Calling>>>;

const task = (id: string) => ({ id, metadata: { why: 'done' } });

function method(name: string, type: string, full: Calling['full']): Calling {
  return { method: name, route: '', type, full };
}

function route(path: string, type: string, full: Calling['full']): Calling {
  return { method: '', route: path, type, full };
}

const METHODS: Operations = {
  sendMessage: method('message/send', 'MessageSendParams', () => FULL_SEND),
  sendStreamingMessage: method('message/stream', 'MessageSendParams', () => FULL_SEND),
  getTask: method('tasks/get', 'TaskQueryParams', (id) => ({ ...task(id), historyLength: 5 })),
  cancelTask: method('tasks/cancel', 'TaskIdParams', task),
  subscribeToTask: method('tasks/resubscribe', 'TaskIdParams', task),
  createPushConfig: method('tasks/pushNotificationConfig/set', 'TaskPushNotificationConfig', (taskId) => ({
    taskId,
    pushNotificationConfig: PUSH_CONFIG,
  })),
  getPushConfig: method('tasks/pushNotificationConfig/get', 'GetTaskPushNotificationConfigParams', (id) => ({
    ...task(id),
    pushNotificationConfigId: 'config-1',
  })),
  listPushConfigs: method('tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigParams', task),
  deletePushConfig: method('tasks/pushNotificationConfig/delete', 'DeleteTaskPushNotificationConfigParams', (id) => ({
    ...task(id),
    pushNotificationConfigId: 'config-1',
  })),
  getExtendedCard: method('agent/getAuthenticatedExtendedCard', 'Nothing', () => ({})),
};

function routes(sendType: string, send: Calling['full']): Operations {
  const configs = '/tasks/{taskId}/pushNotificationConfigs';
  return {
    sendMessage: route('POST /message:send', sendType, send),
    sendStreamingMessage: route('POST /message:stream', sendType, send),
    getTask: route('GET /tasks/{id}', 'RestQuery', (id) => ({ id, historyLength: 5 })),
    cancelTask: route('POST /tasks/{id}:cancel', 'TaskIdParams', task),
    subscribeToTask: route('POST /tasks/{id}:subscribe', 'TaskIdParams', task),
    createPushConfig: route(`POST ${configs}`, 'RestConfig', (taskId) => ({ taskId, config: PUSH_CONFIG })),
    listPushConfigs: route(`GET ${configs}`, 'RestConfigs', (taskId) => ({ taskId })),
    getPushConfig: route(`GET ${configs}/{id}`, 'RestConfigId', (taskId) => ({ taskId, id: 'config-1' })),
    deletePushConfig: route(`DELETE ${configs}/{id}`, 'RestConfigId', (taskId) => ({ taskId, id: 'config-1' })),
    getExtendedCard: route('GET /card', 'Nothing', () => ({})),
  };
}

const textForm = {
  version: '0.3',
  base: '/a2a/v1',
  headers: {},
  schema: SCHEMA_V03,
  send: (message = {}) => ({
    message: {
      kind: 'message',
      messageId: 'm-1',
      role: 'user',
      parts: [{ kind: 'text', text: 'hello' }],
      ...message,
    },
  }),
  parts: 'parts',
  textPart: (text: string) => ({ kind: 'text', text }),
  dataPart: (data: unknown) => ({ kind: 'data', data: { value: data } }),
  filePart: (mimeType: string) => ({ kind: 'file', file: { bytes: 'aGk=', mimeType } }),
} as const satisfies Partial<Form>;

export const JSONRPC_V03: Form = {
  ...textForm,
  name: '0.3 over JSON-RPC',
  binding: 'jsonrpc',
  base: '/a2a',
  operations: METHODS,
};

export const REST_V03: Form = {
  ...textForm,
  name: '0.3 over HTTP+JSON',
  binding: 'rest',
  operations: routes('MessageSendParams', () => FULL_SEND),
};

export const PROTO_V03: Form = {
  ...textForm,
  name: '0.3 over HTTP+JSON in the form of its proto',
  binding: 'rest',
  operations: routes('ProtoSend', () => FULL_PROTO_SEND),
  send: (message = {}) => ({
    message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }], ...message },
  }),
  parts: 'content',
  textPart: (text: string) => ({ text }),
  dataPart: (data: unknown) => ({ data: { data: { value: data } } }),
  filePart: (mimeType: string) => ({ file: { fileWithBytes: 'aGk=', mimeType } }),
};

export const ROOT_V03: Form = {
  ...REST_V03,
  name: '0.3 over HTTP+JSON at the root',
  base: '/v1',
  wrapsErrors: true,
};
