import type { CallingRest } from '../../calling.ts';
import { restCalls } from '../../wire/rest-calls.ts';
import { encodePushConfig } from '../push-configs.ts';
import { PATHS } from '../rest.ts';
import { encodePage } from './push-operations.ts';
import { encodeList, encodeMetadata, encodeSend } from './request-writers.ts';

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
