import { A2AError } from '../../model/errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import { errorDetails } from '../wire/errors/error-details.ts';
import { encodeCard } from './card.ts';
import { encodeEvent } from './events.ts';
import { METHODS } from './methods.ts';
import { encodePushConfig, encodePushConfigPage } from './push-configs.ts';
import { requests } from './requests.ts';
import { errorBody, MEDIA_TYPES, PATHS } from './rest.ts';
import { encodeSendResult, encodeTask, encodeTaskPage } from './tasks.ts';

/** A2A 1.0: the ProtoJSON of the package `lf.a2a.v1`. */
export const v1_0: Dialect = {
  name: 'v1_0',
  version: '1.0',
  extensionsHeader: 'a2a-extensions',
  methods: METHODS,
  decode: requests,
  encode: {
    sendMessage: encodeSendResult,
    getTask: encodeTask,
    listTasks: encodeTaskPage,
    cancelTask: encodeTask,
    createPushConfig: encodePushConfig,
    getPushConfig: encodePushConfig,
    listPushConfigs: encodePushConfigPage,
    deletePushConfig: () => ({}),
    getExtendedCard: encodeCard,
  },
  encodeEvent,
  encodeCard,
  errorDetails,
  errorOf: (error) => A2AError.from(error),
  errorsInStream: 'accepted',
  webhooks: {
    member: undefined,
    sendMember: 'taskPushNotificationConfig',
    requiresId: true,
    contentType: 'application/a2a+json',
    tellsTasks: false,
  },
  rest: { paths: PATHS, mediaTypes: MEDIA_TYPES, errorBody, dialectFor: () => v1_0 },
};
