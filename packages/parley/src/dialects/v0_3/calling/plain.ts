import { requestWriters } from './request-writers.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import { isPlainObject } from '../../../model/basics/json.ts';
import type { Message } from '../../../model/task.ts';
import type { PlainCallingDialect } from '../../calling/calling.ts';
import { readJsonRpcError, readRestError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { RECEIVED_ROLES, TASK_STATES } from '../enums.ts';
import { PLAIN_METHOD_NAMES } from '../plain-methods.ts';
import { readPart } from '../task/parts.ts';
import { decodersOf, eventReaders } from './event-readers.ts';

function readPlainMessage(members: Members): Message {
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}

/** A2A 0.3 as callers speak it over JSON-RPC, in the JSON types of the document, without webhooks. */
export const plainV0_3: PlainCallingDialect = {
  name: 'v0_3',
  version: '0.3',
  extensionsHeader: 'x-a2a-extensions',
  methodOf: { ...PLAIN_METHOD_NAMES, listTasks: undefined },
  encodeRequest: requestWriters,
  .../* @__PURE__ */ decodersOf(
    /* @__PURE__ */ eventReaders({ readPart, readMessage: readPlainMessage, states: TASK_STATES }),
  ),
  isFinal,
  decodeError: readJsonRpcError,
  rest: { decodeError: readRestError },
};

function isFinal(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  const update = event.statusUpdate ?? event.status_update ?? event;
  return isPlainObject(update) && update.final === true;
}
