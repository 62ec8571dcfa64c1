import type { RestCallingDialect } from '../../calling/calling.ts';
import { METHOD_NAMES } from '../methods.ts';
import { plainV1_0 } from './plain.ts';
import { decodePushResult, pushRequestWriters, restPushWriters } from './push-operations.ts';

const { rest } = plainV1_0;
const decodeResult = { ...plainV1_0.decodeResult, ...decodePushResult };

/** A2A 1.0 as its callers speak it, with the operations on webhooks. */
export const callV1_0: RestCallingDialect = {
  ...plainV1_0,
  methodOf: METHOD_NAMES,
  encodeRequest: { ...plainV1_0.encodeRequest, ...pushRequestWriters },
  decodeResult,
  rest: { ...rest, withFiles: undefined, encodeRequest: { ...rest.encodeRequest, ...restPushWriters }, decodeResult },
};
