import type { OperationName, PushOperationName } from '../../model/operations.ts';

/** reference: v03 §2. Tasks cannot be listed in 0.3. */
export const PLAIN_METHOD_NAMES: Readonly<Record<Exclude<OperationName, PushOperationName | 'listTasks'>, string>> = {
  sendMessage: 'message/send',
  sendStreamingMessage: 'message/stream',
  getTask: 'tasks/get',
  cancelTask: 'tasks/cancel',
  subscribeToTask: 'tasks/resubscribe',
  getExtendedCard: 'agent/getAuthenticatedExtendedCard',
};
