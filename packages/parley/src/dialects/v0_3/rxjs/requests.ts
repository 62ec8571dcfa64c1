import { isPlainObject } from '../../../model/basics/json.ts';
import { bringsToolResult } from '../../../model/extensions/caller-tools.ts';
import type { OperationInputs, OperationName, SendInput } from '../../../model/operations.ts';
import type { Dialect } from '../../dialect.ts';
import type { Members } from '../../wire/members.ts';
import { decoderOf } from '../../wire/requests.ts';
import { METHODS } from '../methods.ts';
import { requests as official, readSend, readTaskId, TENANT } from '../requests.ts';
import { readSentMessage } from './messages.ts';

const readSendOfMessage = readSend(readSentMessage);

/**
 * A client that brings the result of a tool names the task only as a reference, and no client declares the tools that it
 * runs (seed S0.7). Clients that send a trace are told of it (seed S0.15).
 */
function readAnsweringSend(members: Members): SendInput {
  const input = readSendOfMessage(members);
  const bringsResult = bringsToolResult(input.message);
  return { ...input, asTask: true, toolsUndeclared: true, showsTrace: true, ...(bringsResult && { bringsResult }) };
}

/** A client that comes back names the task `taskId`, and gets a stream (seed S0.8). */
function readSubscription(members: Members): OperationInputs['subscribeToTask'] {
  if (!members.has('taskId')) return readTaskId(members);
  return { tenant: TENANT, id: members.requiredText('taskId'), metadata: members.struct('metadata'), alsoEnded: true };
}

export const requests: Dialect['decode'] = {
  ...official,
  sendMessage: decoderOf(readAnsweringSend),
  sendStreamingMessage: decoderOf(readAnsweringSend),
  subscribeToTask: decoderOf(readSubscription),
};

export function operationOf(method: string, params: unknown): OperationName | undefined {
  const comesBack = method === 'tasks/get' && isPlainObject(params) && params.id === undefined;
  return comesBack && params.taskId !== undefined ? 'subscribeToTask' : METHODS.get(method);
}
