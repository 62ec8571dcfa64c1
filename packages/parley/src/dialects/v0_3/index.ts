import { isPlainObject } from '../../model/json.ts';
import type { Message } from '../../model/task.ts';
import type { Dialect, RestShape } from '../dialect.ts';
import type { Members } from '../wire/members.ts';
import { encodeBareEvent, requireUnbroken } from './broken.ts';
import { encodeCard } from './card.ts';
import { errorOf } from './errors.ts';
import { encodeEvent } from './events.ts';
import { readSentMessage } from './messages.ts';
import { METHODS } from './methods.ts';
import { errorOf as protoErrorOf } from './proto/errors.ts';
import { encodeEvent as encodeProtoEvent } from './proto/events.ts';
import { readSentMessage as readSentProtoMessage } from './proto/messages.ts';
import * as protoPush from './proto/push-configs.ts';
import * as protoTasks from './proto/tasks.ts';
import { encodeTaskPushConfig, encodeTaskPushConfigs } from './push-configs.ts';
import { refuseList, requests } from './requests.ts';
import { errorBody, formOf, isProtoMessage, MEDIA_TYPES, PATHS, type RestForm } from './rest.ts';
import { restRequests } from './rest-requests.ts';
import { encodeRequestedTask, encodeSendResult, encodeTask } from './tasks.ts';
import { encodeWrappedEvent, encodeWrappedResult } from './wrapped.ts';

const rest: RestShape = {
  paths: PATHS,
  mediaTypes: MEDIA_TYPES,
  errorBody,
  formOf: (request) => REST_FORMS[formOf(request)],
};

/** What all forms of 0.3 have in common. */
const common = {
  version: '0.3',
  extensionsHeader: 'x-a2a-extensions',
  methods: METHODS,
  encodeCard,
  // Go's clients read `data` only as an object (v0.3) or as a list (v2), and lose the whole error over the other one.
  errorDetails: () => undefined,
  errorOf,
  rest,
} as const satisfies Partial<Dialect>;

/** A2A 0.3 over JSON-RPC: the JSON types of the document, bare, told apart by `kind` (reference: v03 §3, §4). */
export const v0_3: Dialect = {
  ...common,
  name: 'v0_3',
  decode: requests,
  encode: {
    sendMessage: encodeSendResult,
    getTask: encodeRequestedTask,
    listTasks: refuseList,
    cancelTask: encodeTask,
    createPushConfig: (config, input) => encodeTaskPushConfig(config, input?.config.taskId),
    getPushConfig: (config, input) => encodeTaskPushConfig(config, input?.taskId),
    listPushConfigs: (page, input) => encodeTaskPushConfigs(page, input?.taskId),
    deletePushConfig: () => null,
    getExtendedCard: encodeCard,
  },
  encodeEvent,
  // Clients in use pass over anything but an event stream, and do not notice an error elsewhere (reference: v03 §4).
  errorsInStream: new Set(['sendStreamingMessage', 'subscribeToTask']),
};

/** The same JSON types over REST, where sends and events are wrapped (reference: v03 §8, A). */
export const v0_3Text: Dialect = {
  ...v0_3,
  name: 'v0_3-text',
  decode: restRequests(readSentMessage, () => false),
  encode: { ...v0_3.encode, sendMessage: encodeWrappedResult, deletePushConfig: () => ({}) },
  encodeEvent: encodeWrappedEvent,
  errorsInStream: new Set(),
};

/** The ProtoJSON of the package `a2a.v1` over REST (reference: v03 §8, B; §9). Cards are as in the other forms. */
export const v0_3Proto: Dialect = {
  ...common,
  name: 'v0_3-proto',
  decode: restRequests(readSentProtoMessage, () => true),
  encode: {
    sendMessage: protoTasks.encodeSendResult,
    getTask: protoTasks.encodeRequestedTask,
    listTasks: refuseList,
    cancelTask: protoTasks.encodeTask,
    createPushConfig: (config, input) => protoPush.encodeTaskPushConfig(config, input?.config.taskId),
    getPushConfig: (config, input) => protoPush.encodeTaskPushConfig(config, input?.taskId),
    listPushConfigs: (page, input) => protoPush.encodePushConfigPage(page, input?.taskId),
    deletePushConfig: () => ({}),
    getExtendedCard: encodeCard,
  },
  encodeEvent: encodeProtoEvent,
  errorOf: protoErrorOf,
  errorsInStream: new Set(),
};

/** REST at the root of the host, with the bare objects of JSON-RPC; requests are read in both forms. */
export const v0_3Bare: Dialect = {
  ...v0_3,
  name: 'v0_3-bare',
  decode: restRequests(readSentMessageOfEitherForm, isProtoSend),
  encode: {
    ...v0_3.encode,
    sendMessage: (result, input) => {
      requireUnbroken(result);
      return v0_3.encode.sendMessage(result, input);
    },
    deletePushConfig: () => ({}),
  },
  encodeEvent: encodeBareEvent,
  errorsInStream: new Set(),
};

const REST_FORMS: Readonly<Record<RestForm, Dialect>> = { text: v0_3Text, proto: v0_3Proto, bare: v0_3Bare };

function readSentMessageOfEitherForm(members: Members): Message {
  const isProto = members.value('parts') === undefined && members.value('content') !== undefined;
  return isProto ? readSentProtoMessage(members) : readSentMessage(members);
}

function isProtoSend(members: Members): boolean {
  const message = members.value('message', 'request');
  return isPlainObject(message) && isProtoMessage(message);
}
