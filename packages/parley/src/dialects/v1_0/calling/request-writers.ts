import type {
  CancelTaskInput,
  ListPushConfigsInput,
  ListTasksInput,
  OperationInputs,
  PushConfigRef,
  SendInput,
  SubscribeInput,
} from '../../../model/operations.ts';
import type { CallingDialect, CallingRest } from '../../calling.ts';
import type { WireValue } from '../../dialect.ts';
import { restCalls } from '../../wire/rest-calls.ts';
import { TASK_STATE_NAMES } from '../enums.ts';
import { encodeMessage } from '../messages.ts';
import { encodePushConfig } from '../push-configs.ts';
import { PATHS } from '../rest.ts';

/** The parameters of JSON-RPC requests (reference: v1-data-model, Requests and responses). */
export const requestWriters: CallingDialect['encodeRequest'] = {
  sendMessage: (input) => routed(input, encodeSend(input)),
  sendStreamingMessage: (input) => routed(input, encodeSend(input)),
  getTask: (input) => routed(input, { id: input.id, historyLength: input.historyLength }),
  listTasks: (input) => routed(input, encodeList(input)),
  cancelTask: (input) => routed(input, { id: input.id, ...encodeMetadata(input) }),
  subscribeToTask: (input) => routed(input, { id: input.id, ...encodeMetadata(input) }),
  createPushConfig: (input) => routed(input, encodePushConfig(input.config)),
  getPushConfig: (input) => routed(input, encodeRef(input)),
  listPushConfigs: (input) => routed(input, { taskId: input.taskId, ...encodePage(input) }),
  deletePushConfig: (input) => routed(input, encodeRef(input)),
  getExtendedCard: (input) => routed(input, {}),
};

const calls = restCalls(PATHS);

/** The same over HTTP+JSON: what the path says is not repeated. */
export const restRequestWriters: CallingRest['encodeRequest'] = {
  sendMessage: (input) => calls.sendMessage(input.tenant, encodeSend(input)),
  sendStreamingMessage: (input) => calls.sendStreamingMessage(input.tenant, encodeSend(input)),
  getTask: ({ tenant, id, historyLength }) => calls.getTask(tenant, id, { historyLength }),
  listTasks: (input) => calls.listTasks(input.tenant, encodeList(input)),
  cancelTask: (input) => calls.cancelTask(input.tenant, input.id, encodeMetadata(input)),
  subscribeToTask: (input) => calls.subscribeToTask(input.tenant, input.id, encodeMetadata(input)),
  createPushConfig: ({ tenant, config }) => {
    const { taskId, ...rest } = config;
    return calls.createPushConfig(tenant, taskId, encodePushConfig(rest));
  },
  getPushConfig: calls.getPushConfig,
  listPushConfigs: (input) => calls.listPushConfigs(input.tenant, input.taskId, encodePage(input)),
  deletePushConfig: calls.deletePushConfig,
  getExtendedCard: ({ tenant }) => calls.getExtendedCard(tenant),
};

/** The tenant is left out where the interface has none (reference: v1-agent-card §3). */
function routed({ tenant }: OperationInputs['getExtendedCard'], params: object): WireValue {
  return tenant === '' ? params : { tenant, ...params };
}

function encodeSend(input: SendInput): object {
  const configuration: Record<string, WireValue> = {};
  if (input.acceptedOutputModes.length > 0) configuration.acceptedOutputModes = input.acceptedOutputModes;
  if (input.pushConfig !== undefined) configuration.taskPushNotificationConfig = encodePushConfig(input.pushConfig);
  if (input.historyLength !== undefined) configuration.historyLength = input.historyLength;
  if (input.returnImmediately) configuration.returnImmediately = true;
  const wire: Record<string, WireValue> = { message: encodeMessage(input.message) };
  if (Object.keys(configuration).length > 0) wire.configuration = configuration;
  if (input.metadata !== undefined) wire.metadata = input.metadata;
  return wire;
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

function encodeList(
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

function encodePage({
  pageSize,
  pageToken,
}: ListPushConfigsInput): Readonly<Record<string, string | number | undefined>> {
  return { pageSize, pageToken };
}

function encodeRef({ taskId, id }: PushConfigRef): object {
  return { taskId, id };
}

function encodeMetadata({ metadata }: CancelTaskInput | SubscribeInput): object {
  return metadata === undefined ? {} : { metadata };
}
