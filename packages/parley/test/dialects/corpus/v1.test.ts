import { describe, expect, it } from 'vitest';
import { decodeCard, encodeCard } from '../../../src/dialects/v1_0/card.ts';
import { decodeEvent, encodeEvent } from '../../../src/dialects/v1_0/events.ts';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v1_0/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v1_0/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v1_0/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import type { OperationName, OperationResults, PushConfigInput } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task } from '../../../src/model/task.ts';
import { violationsOfV1 } from '../support/closed-schema.ts';
import { filesOf, foldersOf, type Rejected, type Sample } from '../support/corpus.ts';
import { refusalOf } from '../support/refusals.ts';

interface Handling {
  readonly decode?: (wire: unknown) => unknown;
  readonly encode?: (model: unknown) => unknown;
}

const { decode: requests, encode: results } = v1_0;

/** How the samples of each folder are read and written; a request is only read, some results only written. */
const HANDLING: Readonly<Record<string, Handling>> = {
  Part: { decode: (wire) => decode(wire, readPart), encode: (model) => encodePart(model as Part) },
  Message: { decode: decodeMessage, encode: (model) => encodeMessage(model as Message) },
  Task: { decode: decodeTask, encode: (model) => encodeTask(model as Task) },
  StreamResponse: { decode: decodeEvent, encode: (model) => encodeEvent(model as StreamEvent) },
  AgentCard: { decode: decodeCard, encode: (model) => encodeCard(model as AgentCard) },
  TaskPushNotificationConfig: {
    decode: requests.createPushConfig,
    encode: (model) => results.createPushConfig((model as PushConfigInput).config),
  },
  SendMessageResponse: { encode: (model) => results.sendMessage(model as OperationResults['sendMessage']) },
  ListTasksResponse: { encode: (model) => results.listTasks(model as OperationResults['listTasks']) },
  ListTaskPushNotificationConfigsResponse: {
    encode: (model) => results.listPushConfigs(model as OperationResults['listPushConfigs']),
  },
  SendMessageRequest: { decode: requests.sendMessage },
  GetTaskRequest: { decode: requests.getTask },
  ListTasksRequest: { decode: requests.listTasks },
  CancelTaskRequest: { decode: requests.cancelTask },
  SubscribeToTaskRequest: { decode: requests.subscribeToTask },
  GetTaskPushNotificationConfigRequest: { decode: requests.getPushConfig },
  ListTaskPushNotificationConfigsRequest: { decode: requests.listPushConfigs },
  DeleteTaskPushNotificationConfigRequest: { decode: requests.deletePushConfig },
  GetExtendedAgentCardRequest: { decode: requests.getExtendedCard },
};

describe('the corpus of 1.0', () => {
  it('has a way to handle every folder', () => {
    expect(foldersOf('v1_0').filter((folder) => folder !== 'rejected')).toEqual(Object.keys(HANDLING).sort());
  });

  for (const [folder, { decode: read, encode: write }] of Object.entries(HANDLING)) {
    describe(folder, () => {
      const files = filesOf<Sample>('v1_0', folder);
      if (read !== undefined) {
        it.each(files)('$name is read', ({ content }) => {
          expect(read(content.wire)).toEqual(content.model);
        });
      }
      if (write !== undefined) {
        it.each(files)('$name is written', ({ content }) => {
          const written = write(content.model);
          expect(JSON.parse(JSON.stringify(written))).toStrictEqual(content.written ?? content.wire);
          expect(violationsOfV1(folder, written)).toEqual([]);
        });
      }
    });
  }

  it.each(filesOf<Rejected>('v1_0', 'rejected'))('$name', ({ content }) => {
    const error = refusalOf(() => requests[content.operation as OperationName](content.params));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(content.violations);
    expect(error.violations.filter(({ description }) => !/^(must|is required)/.test(description))).toEqual([]);
  });
});
