import type { PushConfigInput, PushOperationName } from '../../model/operations.ts';
import type { CallingRest } from '../calling/calling.ts';
import type { RestPaths } from '../dialect.ts';
import { restRequest } from './rest-calls.ts';

const CONFIGS = 'tasks/{taskId}/pushNotificationConfigs';

export type PushRestWriters = Pick<CallingRest['encodeRequest'], PushOperationName>;

/** The requests of the routes of webhooks; `encodeConfig` writes the body that registers one. */
export function pushRestWriters(
  paths: RestPaths,
  encodeConfig: (config: PushConfigInput['config']) => object,
): PushRestWriters {
  return {
    createPushConfig: ({ tenant, config }) => {
      const { taskId } = config;
      return restRequest(paths, `POST ${CONFIGS}`, { tenant, taskId }, encodeConfig(config));
    },
    getPushConfig: (ref) => restRequest(paths, `GET ${CONFIGS}/{id}`, ref, {}),
    listPushConfigs: ({ pageSize, pageToken, ...ref }) =>
      restRequest(paths, `GET ${CONFIGS}`, ref, { pageSize, pageToken }),
    deletePushConfig: (ref) => restRequest(paths, `DELETE ${CONFIGS}/{id}`, ref, {}),
  };
}
