import type { OperationInputs, PushOperationName, SendInput } from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import type { WireValue } from '../../dialect.ts';
import { encodeSendParams } from '../../wire/send-params.ts';
import { encodePushConfig } from '../push-configs.ts';
import { encodeMessage } from '../task/messages.ts';
import { refuseList } from './event-readers.ts';

/** The parameters of JSON-RPC requests (reference: v03 §3). 0.3 has no tenants. */
export const requestWriters: Omit<CallingDialect['encodeRequest'], PushOperationName> = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id, historyLength }) => ({ id, historyLength }),
  listTasks: refuseList,
  cancelTask: encodeTaskId,
  subscribeToTask: encodeTaskId,
  getExtendedCard: () => undefined,
};

export type TaskIdInput = OperationInputs['cancelTask'] | OperationInputs['subscribeToTask'];

function encodeTaskId({ id, metadata }: TaskIdInput): WireValue {
  return { id, metadata };
}

function encodeSend(input: SendInput): WireValue {
  return encodeSendWith(input, encodeMessage(input.message), 'pushNotificationConfig');
}

/** Servers in use differ where `blocking` is left out, so it is always written (reference: v03 §6). */
export function encodeSendWith(
  input: SendInput,
  message: WireValue,
  pushConfigName: string,
  more?: Readonly<Record<string, unknown>>,
): WireValue {
  const { pushConfig, returnImmediately } = input;
  const push = pushConfig && encodePushConfig(pushConfig);
  return encodeSendParams(input, message, { [pushConfigName]: push, blocking: !returnImmediately, ...more });
}
