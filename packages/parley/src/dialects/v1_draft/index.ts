import type { Dialect, DialectQuirks } from '../dialect.ts';
import { errorOf } from '../v0_3/errors.ts';
import { v0_3 } from '../v0_3/index.ts';
import { encodeTaskPushConfig } from '../v0_3/push-configs.ts';
import { v1_0 } from '../v1_0/index.ts';
import { encodeCard } from './card.ts';
import { errorDetails, eventError, resultError, rpcError } from './errors.ts';
import { encodeEvent, encodeNotification, snapshotEvents } from './events.ts';
import { METHODS, STREAM_SEGMENT, streamingOperationOf } from './methods.ts';
import { requests } from './requests.ts';
import { isDraftRequest } from './signs.ts';
import { encodeSendResult, encodeTask, encodeTaskPage } from './tasks.ts';

const quirks: DialectQuirks = { rpcError, resultError, eventError, snapshotEvents, encodeNotification };

/** The draft of 1.0 as seed S2 has it. Over HTTP+JSON there is none. */
const common: Dialect = {
  ...v1_0,
  name: 'v1_draft',
  methods: METHODS,
  decode: requests,
  encode: {
    sendMessage: encodeSendResult,
    getTask: encodeTask,
    listTasks: encodeTaskPage,
    cancelTask: encodeTask,
    createPushConfig: (config, input) => encodeTaskPushConfig(config, input?.config.taskId),
    getPushConfig: (config, input) => encodeTaskPushConfig(config, input?.taskId),
    listPushConfigs: ({ configs }, input) => ({
      configs: configs.map((config) => encodeTaskPushConfig(config, input?.taskId)),
    }),
    deletePushConfig: () => ({}),
    getExtendedCard: encodeCard,
  },
  encodeEvent,
  encodeCard,
  errorOf,
  errorDetails,
  // The document has streams of results only (seed S2.5).
  errorsInStream: new Set(),
  webhooks: { ...v0_3.webhooks, tellsTasks: false },
  jsonRpcOnly: true,
  quirks,
};

/** The form at the address that streams whatever is called. */
export const v1_draftStream: Dialect = {
  ...common,
  name: 'v1_draft-stream',
  addresses: {
    mounts: (basePath) => [`${basePath}/${STREAM_SEGMENT}`],
    segment: STREAM_SEGMENT,
  },
  quirks: { ...quirks, operationOf: streamingOperationOf },
};

export const v1_draft: Dialect = {
  ...common,
  signs: {
    sign: 'words of the draft',
    isRequest: ({ method, params }) => isDraftRequest(method, params),
    needsLenience: true,
  },
  // Clients look for streams below the address (seed S2).
  addresses: { below: { segment: STREAM_SEGMENT, dialect: v1_draftStream } },
};
