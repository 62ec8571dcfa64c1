import { METHOD_NAMES } from '../../../src/dialects/v1_0/methods.ts';
import type { OperationName } from '../../../src/model/operations.ts';
import { ENUMS_V1, SCHEMA_V1 } from '../../dialects/support/schema-v1.ts';
import type { Calling, Form } from './forms.ts';

const PUSH_CONFIG = {
  id: 'config-1',
  url: 'https://client.example.com/hook',
  token: 'opaque',
  authentication: { scheme: 'Bearer', credentials: 's3cret' },
};

/** Every member of every kind of part that a message can have. */
const FULL_SEND = {
  tenant: '',
  message: {
    messageId: 'm-1',
    contextId: 'c-1',
    taskId: '',
    role: 'ROLE_USER',
    parts: [
      { text: 'hello', metadata: { a: 1 }, filename: 'a.txt', mediaType: 'text/plain' },
      { raw: 'aGk=' },
      { url: 'https://files.example.com/a' },
      { data: { rows: [1, null] } },
    ],
    metadata: { b: [2] },
    extensions: ['urn:example:one', 'urn:example:two'],
    referenceTaskIds: ['t-0'],
  },
  configuration: {
    acceptedOutputModes: ['text/plain'],
    historyLength: 3,
    returnImmediately: false,
    taskPushNotificationConfig: { tenant: '', taskId: '', ...PUSH_CONFIG },
  },
  metadata: { c: { d: true } },
};

const LISTED = {
  tenant: '',
  contextId: 'c-1',
  status: 'TASK_STATE_WORKING',
  pageSize: 10,
  historyLength: 0,
  statusTimestampAfter: '2026-01-05T10:15:00.000Z',
  includeArtifacts: true,
};

const REQUESTS: Readonly<Record<OperationName, Pick<Calling, 'type' | 'full' | 'route'>>> = {
  sendMessage: { type: 'SendMessageRequest', full: () => FULL_SEND, route: 'POST /message:send' },
  sendStreamingMessage: { type: 'SendMessageRequest', full: () => FULL_SEND, route: 'POST /message:stream' },
  getTask: {
    type: 'GetTaskRequest',
    full: (id) => ({ tenant: '', id, historyLength: 5 }),
    route: 'GET /tasks/{id}',
  },
  listTasks: { type: 'ListTasksRequest', full: () => LISTED, route: 'GET /tasks' },
  cancelTask: {
    type: 'CancelTaskRequest',
    full: (id) => ({ tenant: '', id, metadata: { why: 'done' } }),
    route: 'POST /tasks/{id}:cancel',
  },
  subscribeToTask: {
    type: 'SubscribeToTaskRequest',
    full: (id) => ({ tenant: '', id }),
    route: 'POST /tasks/{id}:subscribe',
  },
  createPushConfig: {
    type: 'TaskPushNotificationConfig',
    full: (taskId) => ({ tenant: '', taskId, ...PUSH_CONFIG }),
    route: 'POST /tasks/{taskId}/pushNotificationConfigs',
  },
  getPushConfig: {
    type: 'GetTaskPushNotificationConfigRequest',
    full: (taskId) => ({ tenant: '', taskId, id: 'config-1' }),
    route: 'GET /tasks/{taskId}/pushNotificationConfigs/{id}',
  },
  listPushConfigs: {
    type: 'ListTaskPushNotificationConfigsRequest',
    full: (taskId) => ({ tenant: '', taskId, pageSize: 10, pageToken: 'x' }),
    route: 'GET /tasks/{taskId}/pushNotificationConfigs',
  },
  deletePushConfig: {
    type: 'DeleteTaskPushNotificationConfigRequest',
    full: (taskId) => ({ tenant: '', taskId, id: 'config-1' }),
    route: 'DELETE /tasks/{taskId}/pushNotificationConfigs/{id}',
  },
  getExtendedCard: {
    type: 'GetExtendedAgentCardRequest',
    full: () => ({ tenant: '' }),
    route: 'GET /extendedAgentCard',
  },
};

const OPERATIONS = Object.keys(REQUESTS) as OperationName[];

const common = {
  version: '1.0',
  base: '/a2a',
  headers: { 'a2a-version': '1.0' },
  schema: { types: SCHEMA_V1, enums: ENUMS_V1 },
  send: (message = {}) => ({
    message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...message },
  }),
  parts: 'parts',
  textPart: (text: string) => ({ text }),
  dataPart: (data: unknown) => ({ data }),
  filePart: (mediaType: string) => ({ raw: 'aGk=', mediaType }),
} as const satisfies Partial<Form>;

export const JSONRPC_V1: Form = {
  ...common,
  name: '1.0 over JSON-RPC',
  binding: 'jsonrpc',
  operations: Object.fromEntries(
    OPERATIONS.map((name) => [name, { ...REQUESTS[name], method: METHOD_NAMES[name], route: '' }]),
  ),
};

export const REST_V1: Form = {
  ...common,
  name: '1.0 over HTTP+JSON',
  binding: 'rest',
  operations: Object.fromEntries(OPERATIONS.map((name) => [name, { ...REQUESTS[name], method: '' }])),
};
