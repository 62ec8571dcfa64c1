import type { ListTasksInput, OperationInputs, PushOperationName, SendInput } from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import type { WireValue } from '../../dialect.ts';
import type { RestParams } from '../../wire/rest-calls.ts';
import { encodeSendParams } from '../../wire/send-params.ts';
import { TASK_STATE_NAMES } from '../enums.ts';
import { encodeMessage } from '../messages.ts';
import { encodePushConfig } from '../push-configs.ts';

/**
 * The parameters of requests (reference: v1-data-model, Requests and responses), without the tenant and the id of the
 * task, which HTTP+JSON has in the path.
 */
export const params: RestParams = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ historyLength }) => ({ historyLength }),
  listTasks: encodeList,
  cancelTask: ({ metadata }) => ({ metadata }),
  subscribeToTask: ({ metadata }) => ({ metadata }),
  getExtendedCard: () => ({}),
};

/** The parameters of JSON-RPC requests. */
export const requestWriters = Object.fromEntries(
  Object.entries(params).map(([name, write]) => [
    name,
    (input: OperationInputs['getExtendedCard'] | OperationInputs['getTask']) =>
      routed(input, { ...('id' in input && { id: input.id }), ...write(input as never) }),
  ]),
) as unknown as Omit<CallingDialect['encodeRequest'], PushOperationName>;

/** The tenant is left out where the interface has none (reference: v1-agent-card §3). */
export function routed({ tenant }: OperationInputs['getExtendedCard'], members: object): WireValue {
  return tenant === '' ? members : { tenant, ...members };
}

function encodeSend(input: SendInput): object {
  const { pushConfig, returnImmediately } = input;
  return encodeSendParams(input, encodeMessage(input.message), {
    taskPushNotificationConfig: pushConfig && encodePushConfig(pushConfig),
    returnImmediately: returnImmediately || undefined,
  });
}

function encodeList(input: ListTasksInput): object {
  const { contextId, state, pageSize, pageToken, historyLength, statusSince, includeArtifacts } = input;
  return {
    contextId,
    status: state && TASK_STATE_NAMES[state],
    pageSize,
    pageToken,
    historyLength,
    statusTimestampAfter: statusSince === undefined ? undefined : new Date(statusSince).toISOString(),
    includeArtifacts: includeArtifacts || undefined,
  };
}
