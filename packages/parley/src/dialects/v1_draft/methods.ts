import type { OperationName } from '../../model/operations.ts';
import { METHODS as OFFICIAL } from '../v1_0/methods.ts';

/** The document's names; the rest are those of 1.0. */
export const METHOD_NAMES: Readonly<Record<OperationName, string>> = {
  sendMessage: 'SendMessage',
  sendStreamingMessage: 'SendStreamingMessage',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  subscribeToTask: 'SubscribeToTask',
  createPushConfig: 'SetTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
  getExtendedCard: 'GetExtendedAgentCard',
};

/** With the document's aliases, and the official name of what it calls otherwise. */
export const METHODS: ReadonlyMap<string, OperationName> = new Map<string, OperationName>([
  ...Object.entries(METHOD_NAMES).map(([operation, method]) => [method, operation as OperationName] as const),
  ['StreamMessage', 'sendStreamingMessage'],
  ['Resubscribe', 'subscribeToTask'],
  ...OFFICIAL,
]);

/** The segment of the address for streams. */
export const STREAM_SEGMENT = 'stream';

/** At the address for streams every send is one (seed S2, Supported Methods). */
export function streamingOperationOf(method: string): OperationName | undefined {
  return method === 'SendMessage' ? 'sendStreamingMessage' : undefined;
}
