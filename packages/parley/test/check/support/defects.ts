import type { Wire } from '../../support/rpc.ts';
import { type DefectCase, errorOf, isMethod, mapped } from './defect.ts';

export const CARD_DEFECTS: readonly DefectCase[] = [
  {
    name: 'serves its card as HTML',
    rule: 'card.well-known',
    headers: (headers, { path }) =>
      path.includes('agent-card') ? { ...headers, 'content-type': 'text/html' } : headers,
  },
  { name: 'has no description', rule: 'card.required-members', card: (card) => ({ ...card, description: undefined }) },
  { name: 'has no ETag', rule: 'card.etag', headers: (headers) => ({ ...headers, etag: undefined }) },
  {
    name: 'forbids caches its card',
    rule: 'card.cache-control',
    headers: (headers, { path }) =>
      path.includes('agent-card') ? { ...headers, 'cache-control': 'no-store' } : headers,
  },
  { name: 'never answers 304', rule: 'card.not-modified', status: (status) => (status === 304 ? 200 : status) },
  {
    name: 'declares versions with a patch number',
    rule: 'version.no-patch',
    card: (card) => ({
      ...card,
      supportedInterfaces: card.supportedInterfaces?.map((one: Wire) => ({
        ...one,
        protocolVersion: `${one.protocolVersion}.0`,
      })),
    }),
  },
  {
    name: 'declares an interface that is not there',
    rule: 'card.truthful',
    card: (card) => ({
      ...card,
      supportedInterfaces: card.supportedInterfaces?.map((one: Wire) =>
        one.protocolBinding === 'HTTP+JSON' ? { ...one, url: `${one.url}/no/such/place` } : one,
      ),
    }),
  },
  {
    name: 'answers in a version that it does not declare',
    rule: 'card.declares-all',
    card: (card) => ({
      ...card,
      supportedInterfaces: card.supportedInterfaces?.filter((one: Wire) => one.protocolVersion !== '0.3'),
    }),
    also: ['version.missing-is-03'],
  },
];

export const OPERATION_DEFECTS: readonly DefectCase[] = [
  {
    name: 'does not wrap the result of a send',
    rule: 'send.wrapped',
    response: (json, seen) =>
      isMethod(seen, 'SendMessage') && json.result?.task ? { ...json, result: json.result.task } : json,
  },
  {
    name: 'wraps the result of a get',
    rule: 'get.bare',
    response: (json, seen) =>
      isMethod(seen, 'GetTask') && json.result ? { ...json, result: { task: json.result } } : json,
  },
  {
    name: 'takes an unknown task for a wrong parameter',
    rule: 'get.unknown',
    response: (json, seen) => (isMethod(seen, 'GetTask') && json.error?.code === -32001 ? errorOf(json, -32602) : json),
    also: ['errors.info-jsonrpc'],
  },
  {
    name: 'takes a message to an unknown task for a wrong parameter',
    rule: 'send.unknown-task',
    response: (json, seen) =>
      isMethod(seen, 'SendMessage') && json.error?.code === -32001 ? errorOf(json, -32602) : json,
  },
  {
    name: 'says that a finished task is not there',
    rule: 'send.terminal-task',
    response: (json, seen) =>
      isMethod(seen, 'SendMessage') && json.error?.code === -32004 ? errorOf(json, -32001) : json,
  },
  {
    name: 'cancels what is over',
    rule: 'cancel.terminal',
    response: (json, seen) =>
      isMethod(seen, 'CancelTask') && json.error?.code === -32002
        ? { jsonrpc: '2.0', id: json.id, result: { id: seen.json.params.id, status: { state: 'TASK_STATE_CANCELED' } } }
        : json,
  },
  {
    name: 'answers before the task is over',
    rule: 'send.blocking-default',
    request: (json) =>
      json.method === 'SendMessage' && json.params.message?.parts?.[0]?.text?.includes('writing')
        ? {
            ...json,
            params: { ...json.params, configuration: { ...json.params.configuration, returnImmediately: true } },
          }
        : json,
    also: ['parts.artifact'],
  },
  {
    name: 'takes every media type',
    rule: 'send.media-type',
    request: (json) =>
      mapped(json, (value, name) => (name === 'mediaType' && value?.includes('check') ? undefined : value)),
  },
  {
    name: 'makes up a role for messages without one',
    rule: 'send.missing-message',
    request: (json) => mapped(json, (value, name) => (name === 'role' && value === 'nobody' ? 'ROLE_USER' : value)),
  },
  {
    name: 'replaces context ids of clients',
    rule: 'context.not-replaced',
    response: (json, seen) =>
      String(seen.json?.params?.message?.contextId).startsWith('check-')
        ? mapped(json, (value, name) => (name === 'contextId' ? 'another-one' : value))
        : json,
  },
  {
    name: 'takes a message with a task of another context',
    rule: 'context.mismatch',
    request: (json) =>
      json.params?.message?.taskId
        ? { ...json, params: { ...json.params, message: { ...json.params.message, contextId: undefined } } }
        : json,
  },
  {
    name: 'has no extended card and says that it is not configured',
    rule: 'card.extended-off',
    response: (json, seen) => (isMethod(seen, 'GetExtendedAgentCard') ? errorOf(json, -32007) : json),
  },
];

export const LIST_DEFECTS: readonly DefectCase[] = [
  {
    name: 'leaves out an empty page token',
    rule: 'list.next-token',
    response: (json) => mapped(json, (value, name) => (name === 'nextPageToken' && value === '' ? undefined : value)),
  },
  {
    name: 'lists tasks with empty artifacts',
    rule: 'list.artifacts-absent',
    response: (json) =>
      mapped(json, (value, name) =>
        name === 'tasks' ? value.map((task: Wire) => ({ artifacts: [], ...task })) : value,
      ),
  },
  {
    name: 'takes a page size of zero for the default',
    rule: 'list.page-size',
    request: (json) => mapped(json, (value, name) => (name === 'pageSize' && value === 0 ? 50 : value)),
  },
  {
    name: 'lists the oldest first',
    rule: 'list.order',
    response: (json) => mapped(json, (value, name) => (name === 'tasks' ? value.toReversed() : value)),
  },
  {
    name: 'counts the page instead of all',
    rule: 'list.sizes',
    response: (json) =>
      json.result?.tasks ? { ...json, result: { ...json.result, totalSize: json.result.tasks.length } } : json,
  },
  {
    name: 'does not filter by state',
    rule: 'list.filters',
    request: (json) =>
      mapped(json, (value, name) => (name === 'status' && value === 'TASK_STATE_WORKING' ? undefined : value)),
  },
  {
    name: 'ignores the length of history',
    rule: 'history.limit',
    request: (json) => mapped(json, (value, name) => (name === 'historyLength' && value === 1 ? undefined : value)),
  },
  {
    name: 'takes a history length of zero for none given',
    rule: 'history.zero',
    request: (json) => mapped(json, (value, name) => (name === 'historyLength' && value === 0 ? undefined : value)),
  },
];

export const STREAM_DEFECTS: readonly DefectCase[] = [
  {
    name: 'begins streams with an update',
    rule: 'stream.first-frame-task',
    event: (json, index, seen) =>
      isMethod(seen, 'SendStreamingMessage') && index === 0 && json.result?.task ? undefined : json,
  },
  { name: 'leaves streams open', rule: 'stream.ends-terminal', keepsOpen: true, also: ['stream.message-only'] },
  {
    name: 'marks updates as final',
    rule: 'stream.one-payload',
    event: (json) => mapped(json, (value, name) => (name === 'statusUpdate' ? { ...value, final: false } : value)),
  },
  {
    name: 'leaves the context out of updates',
    rule: 'stream.update-ids',
    event: (json) =>
      mapped(json, (value, name) => (name === 'statusUpdate' ? { ...value, contextId: undefined } : value)),
  },
  {
    name: 'streams as JSON',
    rule: 'stream.sse-type',
    headers: (headers) =>
      String(headers['content-type']).startsWith('text/event')
        ? { ...headers, 'content-type': 'application/json' }
        : headers,
  },
  {
    name: 'never appends chunks',
    rule: 'stream.chunks',
    event: (json) => mapped(json, (value, name) => (name === 'append' ? undefined : value)),
  },
  {
    name: 'goes back to submitted',
    rule: 'stream.order',
    event: (json) =>
      mapped(json, (value, name) =>
        name === 'statusUpdate' && value.status.message?.parts[0].text === 'still writing'
          ? { ...value, status: { ...value.status, state: 'TASK_STATE_SUBMITTED' } }
          : value,
      ),
  },
  {
    name: 'subscribes to what is over',
    rule: 'subscribe.terminal',
    response: (json, seen) =>
      isMethod(seen, 'SubscribeToTask') && json.error?.code === -32004 ? errorOf(json, -32001) : json,
  },
  {
    name: 'numbers the events of a stream by itself',
    rule: 'jsonrpc.sse',
    event: (json, index) => ({ ...json, id: index }),
  },
];
