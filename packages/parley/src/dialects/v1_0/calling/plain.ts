import type { TaskPage } from '../../../model/operations.ts';
import type { PlainCallingDialect, PlainCallingRest } from '../../calling/calling.ts';
import { readAnswer } from '../../wire/answers.ts';
import { readJsonRpcError, readRestError } from '../../wire/errors/received-errors.ts';
import type { Members } from '../../wire/members.ts';
import { decodersOf, eventReaders } from '../../wire/received-events.ts';
import { SNAKE } from '../../wire/snake-case.ts';
import { readReceivedMessage } from '../messages.ts';
import { PLAIN_METHOD_NAMES } from '../plain-methods.ts';
import { READERS } from '../tasks.ts';
import { requestWriters } from './request-writers.ts';
import { restRequestWriters } from './rest-writers.ts';

const { decodeEvent, decodeResult: decodeCommonResult } = /* @__PURE__ */ decodersOf(
  /* @__PURE__ */ eventReaders(READERS, readReceivedMessage),
);

const decodeResult: PlainCallingDialect['decodeResult'] = {
  ...decodeCommonResult,
  listTasks: (result, { includeArtifacts }) => readAnswer(result, readTaskPage(includeArtifacts), 'page'),
};

/** A2A 1.0 as callers speak it, without webhooks. Over HTTP+JSON the messages are the same. */
export const plainV1_0: PlainCallingDialect & { readonly rest: PlainCallingRest } = {
  name: 'v1_0',
  version: '1.0',
  extensionsHeader: 'a2a-extensions',
  methodOf: PLAIN_METHOD_NAMES,
  encodeRequest: requestWriters,
  decodeResult,
  decodeEvent,
  isFinal: () => false,
  decodeError: readJsonRpcError,
  rest: {
    // Servers of 1.0.0 know only this type; those of 1.0.1 take both (reference: v1-bindings §5.1).
    mediaType: 'application/json',
    accept: 'application/json, application/a2a+json',
    encodeRequest: restRequestWriters,
    decodeResult,
    decodeEvent,
    decodeError: readRestError,
  },
};

function readTaskPage(includeArtifacts: boolean): (members: Members) => TaskPage {
  return (members) => {
    const tasks = members.list('tasks', undefined, READERS.readTask);
    return {
      tasks,
      nextPageToken: members.text('nextPageToken', SNAKE) ?? '',
      pageSize: readCount(members, 'pageSize') ?? tasks.length,
      totalSize: readCount(members, 'totalSize') ?? tasks.length,
      includeArtifacts,
    };
  };
}

function readCount(members: Members, name: string): number | undefined {
  const value = members.value(name, SNAKE);
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isInteger(count)) members.reject(name, 'must be an integer');
  return count;
}
