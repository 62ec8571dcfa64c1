import type { Schema } from './forms.ts';

/**
 * The requests of A2A 0.3 as data, in the notation of `schema-v1.ts` (reference: v03 §3). A `kind` may be left out by
 * whoever sends (v03 §3), so it is not REQUIRED here.
 */
const TYPES: Schema['types'] = {
  MessageSendParams: { message: 'Message!', configuration: 'MessageSendConfiguration', metadata: 'Struct' },
  MessageSendConfiguration: {
    acceptedOutputModes: 'string[]',
    blocking: 'bool',
    historyLength: 'int32',
    pushNotificationConfig: 'PushNotificationConfig',
  },
  Message: {
    kind: 'MessageKind',
    messageId: 'string!',
    role: 'Role!',
    parts: 'Part![]',
    contextId: 'string',
    taskId: 'string',
    referenceTaskIds: 'string[]',
    extensions: 'string[]',
    metadata: 'Struct',
  },
  Part: { kind: 'PartKind', text: 'string@content', file: 'File@content', data: 'Struct@content', metadata: 'Struct' },
  File: { bytes: 'bytes@file', uri: 'string@file', mimeType: 'string', name: 'string' },
  TaskIdParams: { id: 'string!', metadata: 'Struct' },
  TaskQueryParams: { id: 'string!', historyLength: 'int32', metadata: 'Struct' },
  PushNotificationConfig: {
    url: 'string!',
    id: 'string',
    token: 'string',
    authentication: 'PushNotificationAuthenticationInfo',
  },
  PushNotificationAuthenticationInfo: { schemes: 'string![]', credentials: 'string' },
  TaskPushNotificationConfig: { taskId: 'string!', pushNotificationConfig: 'PushNotificationConfig!' },
  GetTaskPushNotificationConfigParams: { id: 'string!', pushNotificationConfigId: 'string', metadata: 'Struct' },
  ListTaskPushNotificationConfigParams: { id: 'string!', metadata: 'Struct' },
  DeleteTaskPushNotificationConfigParams: { id: 'string!', pushNotificationConfigId: 'string!', metadata: 'Struct' },
  Nothing: {},

  // What REST has in its queries and bodies beside the path.
  RestQuery: { id: 'string!', historyLength: 'int32' },
  RestConfig: { taskId: 'string!', config: 'PushNotificationConfig!' },
  RestConfigs: { taskId: 'string!' },
  RestConfigId: { taskId: 'string!', id: 'string!' },

  // The ProtoJSON form (v03 §8, B, and §9).
  ProtoSend: { message: 'ProtoMessage!', configuration: 'ProtoConfiguration', metadata: 'Struct' },
  ProtoConfiguration: {
    acceptedOutputModes: 'string[]',
    blocking: 'bool',
    historyLength: 'int32',
    pushNotification: 'PushNotificationConfig',
  },
  ProtoMessage: {
    messageId: 'string!',
    contextId: 'string',
    taskId: 'string',
    role: 'ProtoRole!',
    content: 'ProtoPart![]',
    metadata: 'Struct',
    extensions: 'string[]',
  },
  ProtoPart: { text: 'string@content', file: 'ProtoFile@content', data: 'ProtoData@content' },
  ProtoFile: { fileWithBytes: 'bytes@file', fileWithUri: 'string@file', mimeType: 'string' },
  ProtoData: { data: 'Struct!' },
};

const ENUMS: Schema['enums'] = {
  MessageKind: ['message'],
  PartKind: ['text', 'file', 'data'],
  Role: ['user', 'agent'],
  ProtoRole: ['ROLE_USER', 'ROLE_AGENT'],
};

export const SCHEMA_V03: Schema = { types: TYPES, enums: ENUMS };
