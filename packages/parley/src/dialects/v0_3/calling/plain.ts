import { requestWriters } from './request-writers.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import { isPlainObject } from '../../../model/basics/json.ts';
import type { PlainCallingDialect } from '../../calling/calling.ts';
import { readJsonRpcError } from '../../wire/errors/received-errors.ts';
import { PLAIN_METHOD_NAMES } from '../plain-methods.ts';
import { restV0_3 } from './rest.ts';

const rest = /* @__PURE__ */ restV0_3();

/** A2A 0.3 as callers speak it, without webhooks. Responses are read in every form. */
export const plainV0_3: PlainCallingDialect = {
  name: 'v0_3',
  version: '0.3',
  extensionsHeader: 'x-a2a-extensions',
  methodOf: { ...PLAIN_METHOD_NAMES, listTasks: undefined },
  encodeRequest: requestWriters,
  decodeResult: rest.decodeResult,
  decodeEvent: rest.decodeEvent,
  isFinal,
  decodeError: readJsonRpcError,
  rest,
};

function isFinal(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  const update = event.statusUpdate ?? event.status_update ?? event;
  return isPlainObject(update) && update.final === true;
}
