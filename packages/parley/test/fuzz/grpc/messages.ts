import { writeMessage } from '../../../src/bindings/grpc/codec/write.ts';
import { GRPC_SERVICES, type Rpc } from '../../../src/bindings/grpc/services.ts';
import type { OperationName } from '../../../src/model/operations.ts';

/** A right request of one procedure, about a task where it is about one. */
export interface GrpcTemplate {
  readonly rpc: Rpc;
  readonly bytesFor: (taskId: string) => Uint8Array;
}

const HOOK = { id: 'c-1', url: 'https://example.com/hook', token: 't' };
const METADATA = { text: 'ä', list: [1, null, { deep: [true] }], number: 0.5 };
const NEW_PARTS = [
  { text: 'hello', mediaType: 'text/plain', metadata: METADATA },
  { raw: 'aGVsbG8=', filename: 'a.bin' },
  { url: 'https://example.com/a' },
  { data: [1, 'two', { three: null }] },
];
const OLD_PARTS = [
  { text: 'hello' },
  { file: { fileWithBytes: 'aGVsbG8=', mimeType: 'text/plain', name: 'a.txt' } },
  { data: { data: { a: [1] } } },
];

/** The JSON of requests: those of 1.0, and of 0.3 where that has another. */
const NEW: Readonly<Record<OperationName, (id: string) => object>> = {
  sendMessage: () => send(),
  sendStreamingMessage: () => send(),
  getTask: (id) => ({ id, historyLength: 3 }),
  listTasks: () => ({ pageSize: 5, status: 'TASK_STATE_WORKING', statusTimestampAfter: '2026-01-01T00:00:00.5Z' }),
  cancelTask: (id) => ({ id, metadata: METADATA }),
  subscribeToTask: (id) => ({ id }),
  createPushConfig: (taskId) => ({ taskId, ...HOOK, authentication: { scheme: 'Bearer', credentials: 'x' } }),
  getPushConfig: (taskId) => ({ taskId, id: 'c-1' }),
  listPushConfigs: (taskId) => ({ taskId, pageSize: 3 }),
  deletePushConfig: (taskId) => ({ taskId, id: 'c-1' }),
  getExtendedCard: () => ({}),
};

const OLD: Readonly<Partial<Record<OperationName, (id: string) => object>>> = {
  sendMessage: () => oldSend(),
  sendStreamingMessage: () => oldSend(),
  getTask: (id) => ({ name: `tasks/${id}`, historyLength: 3 }),
  cancelTask: (id) => ({ name: `tasks/${id}` }),
  subscribeToTask: (id) => ({ name: `tasks/${id}` }),
  createPushConfig: (id) => ({
    parent: `tasks/${id}`,
    configId: 'c-1',
    config: { name: `tasks/${id}/pushNotificationConfigs/c-1`, pushNotificationConfig: HOOK },
  }),
  getPushConfig: (id) => ({ name: `tasks/${id}/pushNotificationConfigs/c-1` }),
  listPushConfigs: (id) => ({ parent: `tasks/${id}` }),
  deletePushConfig: (id) => ({ name: `tasks/${id}/pushNotificationConfigs/c-1` }),
};

function send(): object {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: NEW_PARTS, contextId: 'c', metadata: METADATA };
  return { message, configuration: { historyLength: 2, acceptedOutputModes: ['text/plain'] }, metadata: METADATA };
}

function oldSend(): object {
  const message = { messageId: 'm-1', role: 'ROLE_USER', content: OLD_PARTS, metadata: METADATA };
  return { message, configuration: { historyLength: 2, blocking: true }, metadata: METADATA };
}

export const GRPC_TEMPLATES: readonly GrpcTemplate[] = Object.values(GRPC_SERVICES).flatMap(({ rpcs }) =>
  [...rpcs.values()].map((rpc) => {
    const json = (rpc.version === '0.3' ? OLD[rpc.operation] : undefined) ?? NEW[rpc.operation];
    return { rpc, bytesFor: (taskId: string) => writeMessage(rpc.request, json(taskId)).slice() };
  }),
);
