import { isPlainObject } from '../model/basics/json.ts';
import type { SendInput } from '../model/operations.ts';
import type { Message, Part } from '../model/task.ts';
import { inputOf, type SnippetCall, type SnippetSource } from './recorded-call.ts';

/** A method of `A2AClient` and what it is called with. */
interface MethodCall {
  readonly method: string;
  readonly values: readonly unknown[];
}

/** The method of a client that makes this call. Ids of messages are new ones. */
export function methodCall({ call, request }: Pick<SnippetSource, 'call' | 'request'>): MethodCall {
  const { tenant } = call.input;
  const details = { tenant: tenant === '' ? undefined : tenant };
  switch (call.operation) {
    case 'sendMessage':
      return trimmed('sendMessage', ...sendValues(call, details));
    case 'sendStreamingMessage':
      return trimmed('sendMessageStream', ...sendValues(call, details));
    case 'getTask': {
      const { id, historyLength } = inputOf(call, 'getTask');
      return trimmed('getTask', id, { historyLength, ...details });
    }
    case 'cancelTask': {
      const { id, reason, metadata } = inputOf(call, 'cancelTask');
      return trimmed('cancelTask', id, { reason, metadata, ...details });
    }
    case 'listTasks': {
      const { tenant: _, after: __, states: ___, ...filter } = inputOf(call, 'listTasks');
      return trimmed('listTasks', filter, details);
    }
    case 'subscribeToTask': {
      const lastEventId = request.headers.find(([name]) => name === 'last-event-id')?.[1];
      return trimmed('subscribe', inputOf(call, 'subscribeToTask').id, { lastEventId, ...details });
    }
    case 'createPushConfig': {
      const { taskId, ...config } = inputOf(call, 'createPushConfig').config;
      return trimmed('createPushConfig', taskId, config, details);
    }
    case 'getPushConfig':
    case 'deletePushConfig': {
      const { taskId, id } = inputOf(call, 'getPushConfig');
      return trimmed(call.operation, taskId, id, details);
    }
    case 'listPushConfigs': {
      const { taskId, pageSize, pageToken } = inputOf(call, 'listPushConfigs');
      return trimmed('listPushConfigs', taskId, { pageSize, pageToken, ...details });
    }
    case 'getExtendedCard':
      return trimmed('extendedCard', details);
  }
}

/** Values at the end that say nothing are left out. */
function trimmed(method: string, ...values: readonly unknown[]): MethodCall {
  const last = values.findLastIndex((value) => !isEmpty(value));
  return { method, values: values.slice(0, last + 1) };
}

/** The message in the shortest form that says all of it. */
function sendValues(call: SnippetCall, details: object): readonly unknown[] {
  const input = inputOf(call, 'sendMessage');
  const { role, parts, contextId, taskId, referenceTaskIds, extensions, metadata }: Message = input.message;
  const pieces = parts.map(shortest);
  const settings = { ...configurationOf(input), ...details };
  if (role !== 'user' || extensions) {
    return [{ role, parts: pieces, contextId, taskId, referenceTaskIds, extensions, metadata }, settings];
  }
  const beside = { contextId, taskId, referenceTaskIds, messageMetadata: metadata, ...settings };
  return [pieces.length === 1 ? pieces[0] : pieces, beside];
}

function shortest(part: Part): string | Part {
  if (part.kind !== 'text') return part;
  const { kind: _, text, ...attributes } = part;
  return isEmpty(attributes) ? text : part;
}

function configurationOf(input: SendInput): object {
  const { acceptedOutputModes, returnImmediately, historyLength, pushConfig, maxTurns, priority, metadata } = input;
  return {
    acceptedOutputModes: acceptedOutputModes.length > 0 ? acceptedOutputModes : undefined,
    returnImmediately: returnImmediately || undefined,
    historyLength,
    pushConfig,
    maxTurns,
    priority,
    metadata,
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return isPlainObject(value) && Object.values(value).every((member) => member === undefined);
}
