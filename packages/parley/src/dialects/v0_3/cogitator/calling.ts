import { isPlainObject } from '../../../model/basics/json.ts';
import type { SendInput } from '../../../model/operations.ts';
import { isTerminal } from '../../../model/states.ts';
import type { CallingDialect, ResultDecoders } from '../../calling/calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import { callV0_3, sendResultOf } from '../calling/index.ts';
import { encodeSendWith } from '../calling/request-writers.ts';
import { TASK_STATES } from '../enums.ts';
import { isCogitatorCard } from './card-signs.ts';
import { readEvent } from './events.ts';
import { encodeMessage } from './messages.ts';
import { STREAM_METHOD } from './requests.ts';
import { readTask } from './tasks.ts';

const decodeEvent: CallingDialect['decodeEvent'] = (event) => readAnswer(event, readEvent, 'event');

const decodeResult: ResultDecoders = {
  ...callV0_3.decodeResult,
  sendMessage: (result) => sendResultOf(decodeEvent(result)),
  getTask: (result) => readAnswer(result, readTask, 'task'),
  cancelTask: (result) => readAnswer(result, readTask, 'task'),
};

const encodeSend = (input: SendInput) =>
  encodeSendWith(input, encodeMessage(input.message), 'pushNotificationConfig', { timeout: input.timeout });

/** The seed S3 as its callers speak it: over JSON-RPC. */
export const callCogitator: CallingDialect = {
  ...callV0_3,
  name: 'cogitator',
  isCard: isCogitatorCard,
  headers: {},
  methodOf: { ...callV0_3.methodOf, sendStreamingMessage: STREAM_METHOD },
  encodeRequest: { ...callV0_3.encodeRequest, sendMessage: encodeSend, sendStreamingMessage: encodeSend },
  decodeResult,
  decodeEvent,
  isFinal,
  // The document's adapters write the events of `handleJsonRpcStream` as they are.
  bareEvents: true,
};

/** A stream without `final` ends when its task does. */
function isFinal(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  if (typeof event.final === 'boolean') return event.final;
  const state = isPlainObject(event.status) ? TASK_STATES.values.get(event.status.state) : undefined;
  return state !== undefined && isTerminal(state);
}
