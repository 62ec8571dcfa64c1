import type { CallingRest, PlainCallingRest, RestCallingDialect } from '../../calling/calling.ts';
import { METHOD_NAMES } from '../methods.ts';
import { plainV0_3 } from './plain.ts';
import { decodePushResult, pushRequestWriters, restPushWriters } from './push-operations.ts';
import { restV0_3 } from './rest.ts';

export { sendResultOf } from '../../wire/answers.ts';

function withPush(rest: PlainCallingRest): CallingRest {
  return {
    ...rest,
    withFiles: (files) => withPush(restV0_3(files)),
    encodeRequest: { ...rest.encodeRequest, ...restPushWriters },
    decodeResult: { ...rest.decodeResult, ...decodePushResult },
  };
}

const rest = withPush(restV0_3());

/** A2A 0.3 as its callers speak it, with the operations on webhooks. Responses are read in every form. */
export const callV0_3: RestCallingDialect = {
  ...plainV0_3,
  methodOf: { ...METHOD_NAMES, listTasks: undefined },
  encodeRequest: { ...plainV0_3.encodeRequest, ...pushRequestWriters },
  decodeResult: rest.decodeResult,
  decodeEvent: rest.decodeEvent,
  rest,
};
