import { isPlainObject } from '../../../model/basics/json.ts';
import type { OperationName } from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import { callV0_3 } from '../../v0_3/calling/index.ts';
import { readAnswer } from '../../wire/answers.ts';
import { methodOf } from '../methods.ts';
import { isJafCard } from './card-signs.ts';
import { completeCard } from './completed-card.ts';
import { decodeCancellation, decodeSent, readTask } from './received.ts';
import { decodeError } from './received-errors.ts';
import { requestWriters } from './request-writers.ts';
import { decodeEvent, streamDecoder } from './stream-decoder.ts';

const NAMES = Object.keys(requestWriters) as OperationName[];

/** JAF as its callers speak it (seed S1). */
export const callJaf: CallingDialect = {
  ...callV0_3,
  name: 'jaf',
  isCard: isJafCard,
  completeCard,
  // By these a server of several dialects knows what is spoken; `A2A-Version` would ask for an official one.
  headers: { 'x-a2a-version': '0.3.0', 'x-a2a-client': 'parley-a2a' },
  methodOf: Object.fromEntries(NAMES.map((name) => [name, methodOf(name)])) as CallingDialect['methodOf'],
  encodeRequest: requestWriters,
  decodeResult: {
    ...callV0_3.decodeResult,
    sendMessage: decodeSent,
    getTask: (result) => readAnswer(result, readTask, 'task'),
    cancelTask: decodeCancellation,
  },
  decodeEvent,
  streamDecoder,
  isFinal,
  decodeError,
};

/** A completion that is not final ends the stream of a send, which its server closes, but not that of a subscription. */
function isFinal(event: unknown): boolean {
  return isPlainObject(event) && event.final === true;
}
