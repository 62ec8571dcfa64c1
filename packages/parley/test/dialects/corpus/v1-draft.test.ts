import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../../src/dialects/cards/agent-card.ts';
import { callV1Draft } from '../../../src/dialects/v1_draft/calling/index.ts';
import { encodeCard } from '../../../src/dialects/v1_draft/card.ts';
import { decodeEvent, encodeEvent, encodeNotification } from '../../../src/dialects/v1_draft/events.ts';
import { v1_draft } from '../../../src/dialects/v1_draft/index.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v1_draft/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v1_draft/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v1_draft/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import { A2AError, type A2AErrorCode, type A2AErrorOptions } from '../../../src/model/errors/errors.ts';
import type { OperationName, OperationResults, PushConfigInput } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task, TaskStatus } from '../../../src/model/task.ts';
import { filesOf, foldersOf, type Rejected, type Sample } from '../support/corpus.ts';
import { refusalOf } from '../support/refusals.ts';

interface Handling {
  readonly decode?: (wire: unknown) => unknown;
  readonly encode?: (model: unknown) => unknown;
}

const { decode: requests, encode: results, quirks } = v1_draft;
const NOWHERE = { method: undefined, operation: undefined, requestId: null, time: '', traceId: undefined, agents: [] };

/** How the samples of each folder are read and written; a request is only read, some results only written. */
const HANDLING: Readonly<Record<string, Handling>> = {
  Part: { decode: (wire) => decode(wire, readPart), encode: (model) => encodePart(model as Part) },
  Message: { decode: decodeMessage, encode: (model) => encodeMessage(model as Message) },
  Task: { decode: decodeTask, encode: (model) => encodeTask(model as Task) },
  StreamEvent: { decode: decodeEvent, encode: (model) => encodeEvent(model as StreamEvent) },
  AgentCard: { decode: (wire) => decodeAgentCard(wire).card, encode: (model) => encodeCard(model as AgentCard) },
  TaskPushNotificationConfig: {
    decode: requests.createPushConfig,
    encode: (model) => results.createPushConfig((model as PushConfigInput).config),
  },
  Error: {
    encode: (model) => {
      const { code, ...options } = model as { code: A2AErrorCode } & A2AErrorOptions;
      return quirks?.rpcError?.(A2AError.from(new A2AError(code, 'Said otherwise', options)), NOWHERE);
    },
  },
  Notification: {
    encode: (model) => {
      const { event, status } = model as { event: StreamEvent; status: TaskStatus };
      return encodeNotification(event, status);
    },
  },
  ListTasksResponse: { encode: (model) => results.listTasks(model as OperationResults['listTasks']) },
  SendMessageRequest: { decode: requests.sendMessage },
  GetTaskRequest: { decode: requests.getTask },
  ListTasksRequest: { decode: requests.listTasks },
  CancelTaskRequest: { decode: requests.cancelTask },
  SubscribeToTaskRequest: { decode: requests.subscribeToTask },
  GetTaskPushNotificationConfigRequest: { decode: requests.getPushConfig },
  ListTaskPushNotificationConfigsRequest: { decode: requests.listPushConfigs },
  DeleteTaskPushNotificationConfigRequest: { decode: requests.deletePushConfig },
};

describe('the corpus of the draft', () => {
  it('has a way to handle every folder', () => {
    const folders = foldersOf('v1_draft').filter((folder) => folder !== 'rejected');
    expect(folders).toEqual(Object.keys(HANDLING).sort());
  });

  for (const [folder, { decode: read, encode: write }] of Object.entries(HANDLING)) {
    describe(folder, () => {
      const files = filesOf<Sample>('v1_draft', folder);
      if (read !== undefined) {
        it.each(files)('$name is read', ({ content }) => {
          expect(read(content.wire)).toEqual(content.model);
        });
      }
      if (write !== undefined) {
        it.each(files)('$name is written, its members in the same order (S2.3) (S2.4) (S2.7)', ({ content }) => {
          expect(JSON.stringify(write(content.model))).toBe(JSON.stringify(content.written ?? content.wire));
        });
      }
    });
  }

  it.each(filesOf<Rejected>('v1_draft', 'rejected'))('$name (S2.3) (S2.9)', ({ content }) => {
    const error = refusalOf(() => requests[content.operation as OperationName](content.params));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(content.violations);
    expect(error.violations.filter(({ description }) => !/^(must|is required)/.test(description))).toEqual([]);
  });
});

describe('what a caller of the draft reads', () => {
  it('is every task of the corpus, also around and in the shapes of streams', () => {
    const input = requests.sendMessage({ message: { messageId: 'm', role: 'user', parts: [{ text: 'hi' }] } });
    const decodeSent = (wire: unknown) => callV1Draft.decodeResult.sendMessage(wire, input);
    for (const { content } of filesOf<Sample>('v1_draft', 'Task')) {
      expect(decodeSent(content.wire)).toEqual(content.model);
      expect(decodeSent({ task: content.wire })).toEqual(content.model);
    }
    for (const { content } of filesOf<Sample>('v1_draft', 'Message')) {
      expect(decodeSent(content.wire)).toEqual(content.model);
      expect(decodeSent({ message: content.wire })).toEqual(content.model);
    }
    expect(decodeSent({ taskId: 'abc', status: { state: 'working' } })).toMatchObject({ id: 'abc' });
    expect(() => decodeSent({ type: 'status', taskId: 'abc', status: { state: 'working' } })).toThrow(/must be a task/);
    expect(() => decodeSent({ type: 'progress', taskId: 'abc' })).toThrow(/type must be one of status, artifact/);
  });

  it('is a task of 1.0 where the request could not be told from one of 1.0', () => {
    const task = { id: 'abc', contextId: 'ctx', status: { state: 'TASK_STATE_CANCELED' } };
    const read = callV1Draft.decodeResult.getTask(task, { tenant: '', id: 'abc' });
    expect(read.status.state).toBe('canceled');
  });

  it('is the lists of an error, as texts (S2.10)', () => {
    for (const { content } of filesOf<Sample>('v1_draft', 'Error')) {
      const error = callV1Draft.decodeError(content.wire, 'sendMessage');
      expect(error.code).toBe('EXTENSION_SUPPORT_REQUIRED');
      expect(error.metadata).toEqual({ required: 'https://a2a.io/extensions/required-ext', provided: '' });
    }
  });

  it('ends with the frame that says so', () => {
    const isFinal = (name: string) =>
      filesOf<Sample>('v1_draft', 'StreamEvent').some(
        (file) => file.name.includes(name) && callV1Draft.isFinal(file.content.wire),
      );
    expect(isFinal('4-final')).toBe(true);
    expect(isFinal('2-status')).toBe(false);
  });
});
