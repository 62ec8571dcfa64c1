import type { Dialect, StreamFrame } from '../../dialect.ts';
import { v0_3 } from '../index.ts';
import { rpcError, rpcStatus } from './errors.ts';
import { OlderEvents } from './older.ts';
import { operationOf, requests } from './requests.ts';
import { frameOf, streamEncoder } from './stream.ts';
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
  errorsInStream: new Set(),
  own: { operationOf, rpcError, rpcStatus, streamEncoder, staysOpen: true, requiresId: true },
};

/** The same in its older spellings. */
export const rxjsOlder: Dialect = {
  ...rxjs,
  name: 'rxjs-older',
  own: {
    ...rxjs.own,
    streamEncoder: () => {
      const older = new OlderEvents();
      return {
        encode: (events) =>
          events.flatMap((event): readonly StreamFrame[] => {
            const frame = frameOf(event);
            return 'error' in frame ? [frame] : older.encode(event).map((result) => ({ result }));
          }),
      };
    },
  },
};
