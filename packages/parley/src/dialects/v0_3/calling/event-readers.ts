import { A2AError } from '../../../model/errors/errors.ts';
import type { PlainCallingDialect } from '../../calling/calling.ts';
import {
  eventReaders as eventReadersOf,
  type ResponseReaders,
  decodersOf as wireDecodersOf,
} from '../../wire/received-events.ts';
import { readersOf } from '../task/readers.ts';

export type { ResponseReaders };

/** The readers of responses in one form of 0.3, or in either. */
export function eventReaders(vocabulary: Parameters<typeof readersOf>[0]): ResponseReaders {
  return eventReadersOf(readersOf(vocabulary), vocabulary.readMessage);
}

/** The decoders of a dialect whose responses are read so. Lists are refused before they are asked for. */
export const decodersOf = wireDecodersOf as (
  readers: ResponseReaders,
) => Pick<PlainCallingDialect, 'decodeResult' | 'decodeEvent'>;

export function refuseList(): never {
  throw new A2AError('UNSUPPORTED_OPERATION', 'A2A 0.3 cannot list tasks');
}
