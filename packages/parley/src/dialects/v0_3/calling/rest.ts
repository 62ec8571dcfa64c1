import type { PlainCallingRest } from '../../calling/calling.ts';
import type { FileEncodingOptions, FileHabits } from '../../file-encoding.ts';
import { readRestError } from '../../wire/errors/received-errors.ts';
import { fileBytes } from '../../wire/values/file-bytes.ts';
import { eitherReaders } from './either-form.ts';
import { decodersOf } from './event-readers.ts';
import { restRequestWriters } from './rest-writers.ts';

/** A2A 0.3 over HTTP+JSON, without webhooks. Responses are read in every form. */
export function restV0_3(encoding: FileEncodingOptions | FileHabits = {}): PlainCallingRest {
  const files = fileBytes(encoding);
  return {
    mediaType: 'application/json',
    accept: 'application/json',
    encodeRequest: restRequestWriters(files),
    ...decodersOf(eitherReaders(files)),
    decodeError: readRestError,
    withFiles: restV0_3,
  };
}
