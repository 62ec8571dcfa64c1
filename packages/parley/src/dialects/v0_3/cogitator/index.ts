import type { WireError } from '../../../model/errors/errors.ts';
import type { OperationName } from '../../../model/operations.ts';
import type { Dialect } from '../../dialect.ts';
import { errorDetails } from '../errors.ts';
import { v0_3 } from '../index.ts';
import { METHODS } from '../methods.ts';
import { encodeCard } from './card.ts';
import { encodeEvent } from './events.ts';
import { looksLikeCogitator, requests, STREAM_METHOD } from './requests.ts';
import { encodeSendResult, encodeTask } from './tasks.ts';

/** The variant of 0.3 that the seed S3 has, over JSON-RPC: parts with `type`, tasks without `kind`, its own card. */
export const cogitator: Dialect = {
  ...v0_3,
  name: 'cogitator',
  methods: new Map([...METHODS, [STREAM_METHOD, 'sendStreamingMessage']]),
  decode: requests,
  encode: {
    ...v0_3.encode,
    sendMessage: encodeSendResult,
    getTask: encodeTask,
    cancelTask: (task) => encodeTask(task),
    getExtendedCard: encodeCard,
  },
  encodeEvent,
  encodeCard,
  errorDetails,
  errorsInStream: new Set(),
  jsonRpcOnly: true,
  signs: {
    sign: 'parts or method of its own',
    isRequest: ({ method, params }) => looksLikeCogitator(method, params),
  },
  addresses: { card: { path: '/.well-known/agent.json', isList: true } },
  quirks: { bareEvents: true, rpcStatus },
};

/** A body of another type than JSON is refused by HTTP, too (S3, Task 13); parts of another type are not. */
function rpcStatus({ code }: WireError, operation: OperationName | undefined): number | undefined {
  return code === 'CONTENT_TYPE_NOT_SUPPORTED' && operation === undefined ? 400 : undefined;
}
