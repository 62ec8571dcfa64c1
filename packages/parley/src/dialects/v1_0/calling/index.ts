import type { RestCallingDialect } from '../../calling.ts';
import { METHOD_NAMES } from '../methods.ts';
import { plainV1_0 } from './plain.ts';
import { decodePushResult, pushRequestWriters } from './push-operations.ts';
import { restRequestWriters } from './rest-writers.ts';

const decodeResult = { ...plainV1_0.decodeResult, ...decodePushResult };

/** A2A 1.0 as its callers speak it. Over HTTP+JSON the messages are the same. */
export const callV1_0: RestCallingDialect = {
  ...plainV1_0,
  methodOf: METHOD_NAMES,
  encodeRequest: { ...plainV1_0.encodeRequest, ...pushRequestWriters },
  decodeResult,
  rest: {
    ...plainV1_0.rest,
    // Servers of 1.0.0 know only this type; those of 1.0.1 take both (reference: v1-bindings §5.1).
    mediaType: 'application/json',
    accept: 'application/json, application/a2a+json',
    encodeRequest: restRequestWriters,
    decodeResult,
    decodeEvent: plainV1_0.decodeEvent,
  },
};
