import { describe, expect, it } from 'vitest';
import { decodeCard, encodeCard } from '../../../src/dialects/v0_3/card.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import * as protoEvents from '../../../src/dialects/v0_3/proto/events.ts';
import * as protoMessages from '../../../src/dialects/v0_3/proto/messages.ts';
import * as protoParts from '../../../src/dialects/v0_3/proto/parts.ts';
import * as protoTasks from '../../../src/dialects/v0_3/proto/tasks.ts';
import { decodeEvent, encodeEvent } from '../../../src/dialects/v0_3/task/events.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v0_3/task/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v0_3/task/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v0_3/task/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import { fileBytes } from '../../../src/dialects/wire/values/file-bytes.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import type { OperationName, PushConfigInput } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task } from '../../../src/model/task.ts';
import { type Schema, violationsOf } from '../support/closed-schema.ts';
import { filesOf, foldersOf, type Rejected, type Sample } from '../support/corpus.ts';
import { refusalOf } from '../support/refusals.ts';
import { SCHEMA_V03, SCHEMA_V03_PROTO } from '../support/schema-v03.ts';

interface Handling {
  readonly decode: readonly ((wire: unknown) => unknown)[];
  readonly encode?: (model: unknown) => unknown;
}

/** How the samples of each folder are read, by every dialect that reads them, and written; requests are only read. */
const TEXT: Readonly<Record<string, Handling>> = {
  Part: { decode: [(wire) => decode(wire, readPart)], encode: (model) => encodePart(model as Part) },
  Message: { decode: [decodeMessage], encode: (model) => encodeMessage(model as Message) },
  Task: { decode: [decodeTask], encode: (model) => encodeTask(model as Task) },
  StreamEvent: { decode: [decodeEvent], encode: (model) => encodeEvent(model as StreamEvent) },
  AgentCard: { decode: [decodeCard], encode: (model) => encodeCard(model as AgentCard) },
  TaskPushNotificationConfig: {
    decode: [v0_3.decode.createPushConfig, v0_3Text.decode.createPushConfig, v0_3Bare.decode.createPushConfig],
    encode: (model) => v0_3.encode.createPushConfig((model as PushConfigInput).config),
  },
  MessageSendParams: {
    decode: [v0_3, v0_3Text, v0_3Bare].flatMap((dialect) => [
      dialect.decode.sendMessage,
      dialect.decode.sendStreamingMessage,
    ]),
  },
  TaskQueryParams: { decode: [v0_3.decode.getTask, v0_3Text.decode.getTask] },
  TaskIdParams: { decode: [v0_3.decode.cancelTask, v0_3.decode.subscribeToTask] },
  GetTaskPushNotificationConfigParams: { decode: [v0_3.decode.getPushConfig] },
  ListTaskPushNotificationConfigParams: { decode: [v0_3.decode.listPushConfigs] },
  DeleteTaskPushNotificationConfigParams: { decode: [v0_3.decode.deletePushConfig] },
};

/** The samples have files as the proto says. */
const ONCE = fileBytes({ write: 'once' });

const PROTO: Readonly<Record<string, Handling>> = {
  Part: {
    decode: [(wire) => decode(wire, protoParts.partReader())],
    encode: (model) => protoParts.encodePart(model as Part, ONCE),
  },
  Message: {
    decode: [protoMessages.decodeMessage],
    encode: (model) => protoMessages.encodeMessage(model as Message, ONCE),
  },
  Task: { decode: [protoTasks.decodeTask], encode: (model) => protoTasks.taskWriters(ONCE).encodeTask(model as Task) },
  StreamResponse: {
    decode: [protoEvents.decodeEvent],
    encode: (model) => protoEvents.eventWriter(ONCE)(model as StreamEvent),
  },
  SendMessageRequest: { decode: [v0_3Proto.decode.sendMessage, v0_3Proto.decode.sendStreamingMessage] },
  GetTaskRequest: { decode: [v0_3Proto.decode.getTask] },
  CancelTaskRequest: { decode: [v0_3Proto.decode.cancelTask] },
  TaskSubscriptionRequest: { decode: [v0_3Proto.decode.subscribeToTask] },
  CreateTaskPushNotificationConfigRequest: {
    decode: [v0_3Proto, v0_3Text, v0_3Bare].map((dialect) => dialect.decode.createPushConfig),
  },
  GetTaskPushNotificationConfigRequest: { decode: [v0_3Proto.decode.getPushConfig, v0_3Text.decode.getPushConfig] },
  ListTaskPushNotificationConfigRequest: { decode: [v0_3Proto.decode.listPushConfigs] },
  DeleteTaskPushNotificationConfigRequest: { decode: [v0_3Proto.decode.deletePushConfig] },
};

const CORPORA = [
  { folder: 'v0_3', handling: TEXT, schema: SCHEMA_V03, requests: v0_3.decode },
  { folder: 'v0_3_proto', handling: PROTO, schema: SCHEMA_V03_PROTO, requests: v0_3Proto.decode },
] as const;

describe.each(CORPORA)('the corpus $folder', ({ folder: corpus, handling, schema, requests }) => {
  it('has a way to handle every folder', () => {
    expect(foldersOf(corpus).filter((folder) => folder !== 'rejected')).toEqual(Object.keys(handling).sort());
  });

  for (const [folder, { decode: readers, encode: write }] of Object.entries(handling)) {
    describe(folder, () => {
      const files = filesOf<Sample>(corpus, folder);
      it.each(files)('$name is read', ({ content }) => {
        for (const read of readers) expect(read(content.wire)).toEqual(content.model);
      });
      if (write !== undefined) {
        it.each(files)('$name is written', ({ content }) => isWritten(write(content.model), content, folder, schema));
      }
    });
  }

  it.each(filesOf<Rejected>(corpus, 'rejected'))('$name', ({ content }) => {
    const error = refusalOf(() => requests[content.operation as OperationName](content.params));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(content.violations);
    expect(error.violations.filter(({ description }) => !/^(must|is required)/.test(description))).toEqual([]);
  });
});

/** Written as the sample has it, in the same order of members: documents show them in an order. */
function isWritten(written: unknown, sample: Sample, type: string, schema: Schema): void {
  expect(JSON.stringify(written, undefined, 2)).toBe(JSON.stringify(sample.written ?? sample.wire, undefined, 2));
  expect(violationsOf(schema, type, written)).toEqual([]);
}
