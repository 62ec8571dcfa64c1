import { isPlainObject } from '../../../model/basics/json.ts';
import type { OperationInputs, SendInput } from '../../../model/operations.ts';
import type { Dialect } from '../../dialect.ts';
import type { Members } from '../../wire/members.ts';
import { readInteger } from '../../wire/request-members.ts';
import { decoderOf } from '../../wire/requests.ts';
import { requests as officialRequests, readHistoryLength, readSend, TENANT } from '../requests.ts';
import { readSentMessage } from './messages.ts';

/** The requests of the document's methods; those that it does not have are as in 0.3. */
export const requests: Dialect['decode'] = {
  ...officialRequests,
  sendMessage: decoderOf(readTimedSend),
  sendStreamingMessage: decoderOf(readTimedSend),
  getTask: decoderOf(readGetTask),
  cancelTask: decoderOf(readTaskId),
  subscribeToTask: decoderOf(readTaskId),
};

/**
 * Recognises a request in the spellings of the document rather than in those of 0.3: it calls a method of its own, or its
 * message has parts that name their type and not their kind.
 */
export function looksLikeCogitator(method: string, params: unknown): boolean {
  if (!method.includes('/')) return false;
  if (method === STREAM_METHOD) return true;
  const message = isPlainObject(params) ? params.message : undefined;
  const parts = isPlainObject(message) ? message.parts : undefined;
  if (!Array.isArray(parts) || parts.length === 0) return false;
  return parts.every((part) => isPlainObject(part) && typeof part.type === 'string' && part.kind === undefined);
}

/** The document's name for a send that streams. */
export const STREAM_METHOD = 'message/sendStream';

const readOfficialSend = readSend(readSentMessage);

function readTimedSend(members: Members): SendInput {
  const timeout = members.object('configuration', undefined, readTimeout);
  // The document has no other answer than a task.
  const input: SendInput = { ...readOfficialSend(members), asTask: true };
  return timeout === undefined ? input : { ...input, timeout };
}

/** Milliseconds. */
function readTimeout(configuration: Members): number | undefined {
  return readInteger(configuration, 'timeout', undefined, 0);
}

/** The document does not say how these parameters are called. */
function readGetTask(members: Members): OperationInputs['getTask'] {
  return { tenant: TENANT, id: members.requiredText('id', 'taskId'), historyLength: readHistoryLength(members) };
}

function readTaskId(members: Members): OperationInputs['cancelTask'] & OperationInputs['subscribeToTask'] {
  return { tenant: TENANT, id: members.requiredText('id', 'taskId'), metadata: members.struct('metadata') };
}
