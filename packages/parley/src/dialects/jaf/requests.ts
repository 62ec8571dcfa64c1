import type { OperationInputs, SendInput } from '../../model/operations.ts';
import type { Dialect } from '../dialect.ts';
import { requests as otherRequests, TENANT } from '../v0_3/requests.ts';
import type { Members } from '../wire/members.ts';
import { NO_MESSAGE } from '../wire/placeholders.ts';
import { decoderOf } from '../wire/requests.ts';
import { priorityIn, readConfiguration } from './settings.ts';
import { cleanText } from './task/clean-text.ts';
import { readSentMessage } from './task/messages.ts';

/** The requests of the document (seed S1). Those of push configs have no method here. */
export const requests: Dialect['decode'] = {
  ...otherRequests,
  sendMessage: decoderOf(readSend),
  sendStreamingMessage: decoderOf(readSend),
  getTask: decoderOf(readGetTask),
  cancelTask: decoderOf(readCancel),
  subscribeToTask: decoderOf(readSubscribe),
};

/** Completions name a task, so there is always one. */
function readSend(members: Members): SendInput {
  const message = members.requiredObject('message', undefined, readSentMessage, NO_MESSAGE);
  const settings = members.object('configuration', undefined, readConfiguration) ?? {};
  return {
    tenant: TENANT,
    message,
    acceptedOutputModes: [],
    returnImmediately: false,
    asTask: true,
    modesAreKinds: true,
    ...settings,
    priority: settings.priority ?? priorityIn(message.metadata),
    metadata: members.struct('metadata'),
  };
}

function readGetTask(members: Members): OperationInputs['getTask'] {
  return { tenant: TENANT, id: members.requiredText('id') };
}

function readCancel(members: Members): OperationInputs['cancelTask'] {
  const reason = members.text('reason', undefined, 'fieldLength');
  return { tenant: TENANT, id: members.requiredText('id'), reason: reason && cleanText(reason) };
}

/** A task that is over is shown with its end: there is no other way to come back to a lost stream. */
function readSubscribe(members: Members): OperationInputs['subscribeToTask'] {
  return { tenant: TENANT, id: members.requiredText('id'), alsoEnded: true };
}
