import type { CallingDialect, CallingRest, RestCallingDialect } from '../../calling.ts';
import { type FileBytes, habitualFileBytes } from '../../wire/values/file-bytes.ts';
import { METHOD_NAMES } from '../methods.ts';
import { eitherReaders } from './either-form.ts';
import { decodersOf } from './event-readers.ts';
import { plainV0_3 } from './plain.ts';
import { decodePushResult, pushRequestWriters } from './push-operations.ts';
import { restRequestWriters } from './rest-writers.ts';

export { sendResultOf } from '../../wire/answers.ts';

/** @param files how ProtoJSON has the bytes of files */
function decoders(files?: FileBytes): Pick<CallingDialect, 'decodeResult' | 'decodeEvent'> {
  const { decodeEvent, decodeResult } = decodersOf(eitherReaders(files));
  return { decodeEvent, decodeResult: { ...decodeResult, ...decodePushResult } };
}

const rest: CallingRest = {
  ...plainV0_3.rest,
  mediaType: 'application/json',
  accept: 'application/json',
  encodeRequest: restRequestWriters(),
  ...decoders(),
  withHabits: (habits) => {
    const files = habitualFileBytes(habits);
    return { ...rest, encodeRequest: restRequestWriters(files), ...decoders(files) };
  },
};

/** A2A 0.3 as its callers speak it. Responses are read in every form. */
export const callV0_3: RestCallingDialect = {
  ...plainV0_3,
  methodOf: { ...METHOD_NAMES, listTasks: undefined },
  encodeRequest: { ...plainV0_3.encodeRequest, ...pushRequestWriters },
  ...decoders(),
  rest,
};
