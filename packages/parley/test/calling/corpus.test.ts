import { describe, expect, it } from 'vitest';
import { CALLING_DIALECTS } from '../../src/dialects/calling/calling-dialects.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { v0_3, v0_3Proto } from '../../src/dialects/v0_3/index.ts';
import { v1_0 } from '../../src/dialects/v1_0/index.ts';
import type { OperationName } from '../../src/model/operations.ts';
import { filesOf, type Sample } from '../dialects/support/corpus.ts';

type Written = (operation: OperationName, input: unknown) => unknown;

const [newer, older] = CALLING_DIALECTS;

/** The parameters as they arrive: over HTTP+JSON from path, query and body. */
const overRest =
  (dialect: typeof newer): Written =>
  (operation, input) => {
    const { query, body, path } = dialect?.rest.encodeRequest[operation](input as never) ?? {};
    const [, taskId, configId] = /\/tasks\/([^/:]+)(?:\/pushNotificationConfigs\/([^/]+))?/.exec(path ?? '') ?? [];
    const isOfConfig = path?.includes('/pushNotificationConfigs');
    const ids = isOfConfig ? { taskId, ...(configId && { id: configId }) } : taskId === undefined ? {} : { id: taskId };
    return { ...overTheWire(query), ...overTheWire(body ?? {}), ...ids };
  };

const overRpc =
  (dialect: typeof newer): Written =>
  (operation, input) =>
    overTheWire(dialect?.encodeRequest[operation](input as never) ?? {});

function overTheWire(value: unknown): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

const FOLDERS: readonly {
  readonly corpus: string;
  readonly dialect: Dialect;
  readonly write: Written;
  readonly folders: Readonly<Record<string, readonly OperationName[]>>;
}[] = [
  {
    corpus: 'v1_0',
    dialect: v1_0,
    write: overRpc(newer),
    folders: {
      SendMessageRequest: ['sendMessage', 'sendStreamingMessage'],
      GetTaskRequest: ['getTask'],
      ListTasksRequest: ['listTasks'],
      CancelTaskRequest: ['cancelTask'],
      SubscribeToTaskRequest: ['subscribeToTask'],
      TaskPushNotificationConfig: ['createPushConfig'],
      GetTaskPushNotificationConfigRequest: ['getPushConfig'],
      ListTaskPushNotificationConfigsRequest: ['listPushConfigs'],
      DeleteTaskPushNotificationConfigRequest: ['deletePushConfig'],
      GetExtendedAgentCardRequest: ['getExtendedCard'],
    },
  },
  {
    corpus: 'v0_3',
    dialect: v0_3,
    write: overRpc(older),
    folders: {
      MessageSendParams: ['sendMessage', 'sendStreamingMessage'],
      TaskQueryParams: ['getTask'],
      TaskIdParams: ['cancelTask', 'subscribeToTask'],
      TaskPushNotificationConfig: ['createPushConfig'],
      GetTaskPushNotificationConfigParams: ['getPushConfig'],
      ListTaskPushNotificationConfigParams: ['listPushConfigs'],
      DeleteTaskPushNotificationConfigParams: ['deletePushConfig'],
    },
  },
  {
    corpus: 'v0_3_proto',
    dialect: v0_3Proto,
    write: overRest(older),
    folders: {
      SendMessageRequest: ['sendMessage', 'sendStreamingMessage'],
      GetTaskRequest: ['getTask'],
      CancelTaskRequest: ['cancelTask'],
      TaskSubscriptionRequest: ['subscribeToTask'],
      CreateTaskPushNotificationConfigRequest: ['createPushConfig'],
      GetTaskPushNotificationConfigRequest: ['getPushConfig'],
      ListTaskPushNotificationConfigRequest: ['listPushConfigs'],
      DeleteTaskPushNotificationConfigRequest: ['deletePushConfig'],
    },
  },
];

describe.each(FOLDERS)('requests of the corpus $corpus', ({ corpus, dialect, write, folders }) => {
  for (const [folder, operations] of Object.entries(folders)) {
    it.each(filesOf<Sample>(corpus, folder))('$name is written so that it means the same', ({ content }) => {
      for (const operation of operations) {
        expect(dialect.decode[operation](write(operation, content.model))).toEqual(content.model);
      }
    });
  }
});

describe('replies of the corpus', () => {
  const handlers = [
    ['v1_0', 'Task', (wire: unknown) => newer?.decodeResult.getTask(wire, { tenant: '', id: '' })],
    ['v1_0', 'StreamResponse', (wire: unknown) => newer?.decodeEvent(wire)],
    ['v0_3', 'Task', (wire: unknown) => older?.decodeResult.getTask(wire, { tenant: '', id: '' })],
    ['v0_3', 'StreamEvent', (wire: unknown) => older?.decodeEvent(wire)],
    ['v0_3_proto', 'Task', (wire: unknown) => older?.rest.decodeResult.getTask(wire, { tenant: '', id: '' })],
    ['v0_3_proto', 'StreamResponse', (wire: unknown) => older?.rest.decodeEvent(wire)],
  ] as const;
  for (const [corpus, folder, read] of handlers) {
    it.each(filesOf<Sample>(corpus, folder))(`${corpus}/$name is read`, ({ content }) => {
      expect(read(content.wire)).toEqual(content.model);
    });
  }
});
