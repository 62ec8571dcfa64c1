import { isPlainObject } from '../../model/basics/json.ts';
import type { Message } from '../../model/task.ts';
import type { Dialect, RestShape } from '../dialect.ts';
import { FILES_HEADER, type FileEncodingOptions } from '../file-encoding.ts';
import type { Members, Read } from '../wire/members.ts';
import { fileBytes } from '../wire/values/file-bytes.ts';
import { encodeCard } from './card.ts';
import { errorOf } from './errors.ts';
import { METHODS } from './methods.ts';
import { errorOf as protoErrorOf } from './proto/errors.ts';
import { eventWriter } from './proto/events.ts';
import { sentMessageReader } from './proto/messages.ts';
import * as protoPush from './proto/push-configs.ts';
import { taskWriters } from './proto/tasks.ts';
import { encodeTaskPushConfig, encodeTaskPushConfigs } from './push-configs.ts';
import { refuseList, requests } from './requests.ts';
import { brokenError, encodeBareEvent } from './rest/broken.ts';
import { errorBody, filesFor, formOf, isProtoMessage, MEDIA_TYPES, PATHS, type RestForm } from './rest/forms.ts';
import { restRequests } from './rest/requests.ts';
import { encodeWrappedEvent, encodeWrappedResult } from './rest/wrapped.ts';
import { encodeEvent } from './task/events.ts';
import { readSentMessage } from './task/messages.ts';
import { encodeRequestedTask, encodeSendResult, encodeTask } from './task/tasks.ts';

const rest: RestShape = {
  paths: PATHS,
  mediaTypes: MEDIA_TYPES,
  errorBody,
  dialectFor: (request) => REST_FORMS[formOf(request)](filesFor(request)),
};

/** The members that all forms of 0.3 share. */
const common = {
  version: '0.3',
  extensionsHeader: 'x-a2a-extensions',
  methods: METHODS,
  encodeCard,
  // Go's clients read `data` only as an object (v0.3) or as a list (v2), and lose the whole error over the other one.
  errorDetails: () => undefined,
  errorOf,
  webhooks: {
    member: 'pushNotificationConfig',
    sendMember: 'pushNotificationConfig',
    // A request may leave it out, or have the task's in its place (reference: mapping §6).
    requiresId: false,
    contentType: 'application/json',
    // Most receivers of 0.3 know nothing else (reference: mapping §8).
    tellsTasks: true,
  },
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

/**
 * The ProtoJSON of the package `a2a.v1` over REST (reference: v03 §8, B; §9). Cards are as in the other forms. A
 * form that writes files in another way has another name, since texts are kept by the name of the form that wrote them.
 */
function protoForm(settings: FileEncodingOptions): Dialect {
  const files = fileBytes(settings);
  const tasks = taskWriters(files);
  const { write = 'twice' } = settings;
  return {
    ...common,
    name: write === 'twice' ? 'v0_3-proto' : `v0_3-proto-${write}`,
    decode: restRequests(sentMessageReader(files), () => true),
    encode: {
      sendMessage: tasks.encodeSendResult,
      getTask: tasks.encodeRequestedTask,
      listTasks: refuseList,
      cancelTask: tasks.encodeTask,
      createPushConfig: (config, input) => protoPush.encodeTaskPushConfig(config, input?.config.taskId),
      getPushConfig: (config, input) => protoPush.encodeTaskPushConfig(config, input?.taskId),
      listPushConfigs: (page, input) => protoPush.encodePushConfigPage(page, input?.taskId),
      deletePushConfig: () => ({}),
      getExtendedCard: encodeCard,
    },
    encodeEvent: eventWriter(files),
    errorOf: protoErrorOf,
    errorsInStream: new Set(),
    answerHeaders: { [FILES_HEADER]: write },
  };
}

/** REST at the root of the host, with the bare objects of JSON-RPC; requests are read in both forms. */
function bareForm(settings: FileEncodingOptions): Dialect {
  const readProto = sentMessageReader(fileBytes(settings));
  return {
    ...v0_3,
    name: 'v0_3-bare',
    decode: restRequests(eitherMessageReader(readProto), isProtoSend),
    encode: { ...v0_3.encode, deletePushConfig: () => ({}) },
    encodeEvent: encodeBareEvent,
    errorsInStream: new Set(),
    quirks: { resultError: brokenError },
  };
}

/** Makes each form once: texts are kept by the form that wrote them. */
function kept(make: (settings: FileEncodingOptions) => Dialect): (settings: FileEncodingOptions) => Dialect {
  const made = new Map<string, Dialect>();
  return (settings) => {
    const { read = 'detect', write = 'twice' } = settings;
    const key = `${read} ${write}`;
    const known = made.get(key) ?? make({ read, write });
    made.set(key, known);
    return known;
  };
}

const protoForms = kept(protoForm);
const bareForms = kept(bareForm);

/** Both with the default settings. */
export const v0_3Proto: Dialect = protoForms({});
export const v0_3Bare: Dialect = bareForms({});

const REST_FORMS: Readonly<Record<RestForm, (settings: FileEncodingOptions) => Dialect>> = {
  text: () => v0_3Text,
  proto: protoForms,
  bare: bareForms,
};

function eitherMessageReader(readProto: Read<Message>): Read<Message> {
  return (members) => {
    const isProto = members.value('parts') === undefined && members.value('content') !== undefined;
    return isProto ? readProto(members) : readSentMessage(members);
  };
}

function isProtoSend(members: Members): boolean {
  const message = members.value('message', 'request');
  return isPlainObject(message) && isProtoMessage(message);
}
