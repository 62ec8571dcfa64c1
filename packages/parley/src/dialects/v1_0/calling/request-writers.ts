import type {
  CancelTaskInput,
  ListTasksInput,
  OperationInputs,
  PushOperationName,
  SendInput,
  SubscribeInput,
} from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling.ts';
import type { WireValue } from '../../dialect.ts';
import { encodeSendParams } from '../../wire/send-params.ts';
import { TASK_STATE_NAMES } from '../enums.ts';
import { encodeMessage } from '../messages.ts';
import { encodePushConfig } from '../push-configs.ts';

/** The parameters of JSON-RPC requests (reference: v1-data-model, Requests and responses). */
export const requestWriters: Omit<CallingDialect['encodeRequest'], PushOperationName> = {
  sendMessage: (input) => routed(input, encodeSend(input)),
  sendStreamingMessage: (input) => routed(input, encodeSend(input)),
  getTask: (input) => routed(input, { id: input.id, historyLength: input.historyLength }),
  listTasks: (input) => routed(input, encodeList(input)),
  cancelTask: (input) => routed(input, { id: input.id, ...encodeMetadata(input) }),
  subscribeToTask: (input) => routed(input, { id: input.id, ...encodeMetadata(input) }),
  getExtendedCard: (input) => routed(input, {}),
};

/** The tenant is left out where the interface has none (reference: v1-agent-card §3). */
export function routed({ tenant }: OperationInputs['getExtendedCard'], params: object): WireValue {
  return tenant === '' ? params : { tenant, ...params };
}

export function encodeSend(input: SendInput): object {
  const { pushConfig, returnImmediately } = input;
  return encodeSendParams(input, encodeMessage(input.message), {
    taskPushNotificationConfig: pushConfig && encodePushConfig(pushConfig),
    returnImmediately: returnImmediately || undefined,
  });
}

interface WireListRequest {
  readonly contextId?: string | undefined;
  readonly status?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
  readonly historyLength?: number | undefined;
  readonly statusTimestampAfter?: string | undefined;
  readonly includeArtifacts?: true | undefined;
}

export function encodeList(
  input: ListTasksInput,
): WireListRequest & Readonly<Record<string, string | number | true | undefined>> {
  return {
    contextId: input.contextId,
    status: input.state && TASK_STATE_NAMES[input.state],
    pageSize: input.pageSize,
    pageToken: input.pageToken,
    historyLength: input.historyLength,
    statusTimestampAfter: input.statusSince === undefined ? undefined : new Date(input.statusSince).toISOString(),
    includeArtifacts: input.includeArtifacts || undefined,
  };
}

export function encodeMetadata({ metadata }: CancelTaskInput | SubscribeInput): object {
  return metadata === undefined ? {} : { metadata };
}
