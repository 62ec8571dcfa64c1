import type { Dialect } from '../../dialect.ts';
import { errorDetails } from '../errors.ts';
import { v0_3 } from '../index.ts';
import { rpcError, rpcStatus } from './errors.ts';
import { inOlderWords, OlderEvents } from './older.ts';
import { operationOf, requests } from './requests.ts';
import { framesOf, streamEncoder } from './stream.ts';
import { WRITERS } from './tasks.ts';

/** 0.3 as the RxJS agents of seed S0 speak it: input requests, tool parts, and a table of errors of its own. */
export const rxjs: Dialect = {
  ...v0_3,
  name: 'rxjs',
  decode: requests,
  encode: {
    ...v0_3.encode,
    sendMessage: WRITERS.encodeSendResult,
    getTask: WRITERS.encodeRequestedTask,
    cancelTask: WRITERS.encodeTask,
  },
  encodeEvent: WRITERS.encodeEvent,
  errorDetails,
  // The document's server refuses a send in JSON, before its stream begins (seed S0.5).
  errorsInStream: new Set(['subscribeToTask']),
  jsonRpcOnly: true,
  addresses: { mounts: () => ['/api/a2a'] },
  quirks: {
    operationOf,
    rpcError,
    rpcStatus,
    streamEncoder,
    staysOpen: true,
    requiresId: true,
    hasLegacyRateFields: true,
  },
};

/** The same in its older spellings. */
export const rxjsOlder: Dialect = {
  ...rxjs,
  name: 'rxjs-older',
  encode: {
    ...rxjs.encode,
    sendMessage: (result) => inOlderWords(WRITERS.encodeSendResult(result)),
    getTask: (task, input) => inOlderWords(WRITERS.encodeRequestedTask(task, input)),
  },
  addresses: undefined,
  quirks: {
    ...rxjs.quirks,
    streamEncoder: (input) => {
      const older = new OlderEvents();
      return { remembers: true, encode: framesOf(input, (event) => older.encode(event)) };
    },
  },
};
