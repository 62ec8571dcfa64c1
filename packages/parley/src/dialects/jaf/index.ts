import type { InputLimits } from '../../model/input-limits.ts';
import type { Dialect } from '../dialect.ts';
import { v0_3 } from '../v0_3/index.ts';
import { encodeCard } from './card.ts';
import { rpcError, rpcStatus, streamError } from './errors.ts';
import { METHODS } from './methods.ts';
import { requests } from './requests.ts';
import { requireVersion, settingsOfHeaders } from './settings.ts';
import { isJafClient } from './signs.ts';
import { AnswerStream, encodeEvent } from './task/events.ts';
import { encodeCancellation, encodeCompletion, encodeTask, errorInPlaceOf } from './task/tasks.ts';
import { TRAFFIC } from './traffic.ts';

const KB = 1024;

/** The figures of the document (S1.10). */
const LIMITS: Partial<InputLimits> = {
  parts: 100,
  textBytes: 100 * KB,
  dataBytes: 1024 * KB,
  messageBytes: 1024 * KB,
};

/** The dialect of JAF agents (seed S1): what is sent is answered with a completion, and errors have numbers of its own. */
export const jaf: Dialect = {
  ...v0_3,
  name: 'jaf',
  methods: METHODS,
  decode: requests,
  encode: {
    ...v0_3.encode,
    sendMessage: encodeCompletion,
    getTask: encodeTask,
    cancelTask: encodeCancellation,
    getExtendedCard: encodeCard,
  },
  encodeEvent,
  encodeCard,
  // The answer to `message/stream` is a stream whatever happens, and `error` is one of its events.
  errorsInStream: new Set(['sendStreamingMessage', 'subscribeToTask']),
  jsonRpcOnly: true,
  signs: {
    sign: 'X-A2A headers',
    isRequest: ({ method, header }) => method.includes('/') && isJafClient(header),
    isClient: isJafClient,
  },
  limits: LIMITS,
  traffic: TRAFFIC,
  addresses: { card: { path: '/.well-known/agent-card', isAtAgents: true } },
  quirks: {
    hasLegacyRateFields: true,
    rpcError,
    rpcStatus,
    errorEvent: 'error',
    streamError,
    streamEncoder: (input) => new AnswerStream({ beginsWithTask: !('message' in input) }),
    requireVersion,
    sendSettings: settingsOfHeaders,
    resultError: errorInPlaceOf,
  },
};
