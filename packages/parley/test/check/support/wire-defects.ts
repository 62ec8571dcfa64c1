import { type DefectCase, errorOf, isMethod, mapped } from './defect.ts';

const REST = ['1.0', 'rest'] as const;
const OLD = ['0.3', 'jsonrpc'] as const;

export const WIRE_DEFECTS: readonly DefectCase[] = [
  {
    name: 'writes states in lower case',
    rule: 'json.enums',
    response: (json) =>
      mapped(json, (value, name) => (name === 'state' ? value.replace('TASK_STATE_', '').toLowerCase() : value)),
  },
  {
    name: 'writes times with an offset',
    rule: 'json.timestamps',
    response: (json) => mapped(json, (value, name) => (name === 'timestamp' ? value.replace('Z', '+00:00') : value)),
    // What was written so cannot be asked for again.
    also: ['list.timestamp-inclusive'],
  },
  {
    name: 'writes members in snake_case, too',
    rule: 'json.camel',
    response: (json) =>
      mapped(json, (value, name) => (name === 'task' && value?.id ? { ...value, context_id: value.contextId } : value)),
  },
  {
    name: 'has errors without details',
    rule: 'errors.info-jsonrpc',
    response: (json) => (json.error?.data?.[0]?.reason ? errorOf(json, json.error.code) : json),
  },
  {
    name: 'has codes of its own',
    rule: 'errors.jsonrpc-codes',
    response: (json) => (json.error?.code === -32002 ? { ...json, error: { ...json.error, code: -32050 } } : json),
  },
  {
    name: 'answers with another id',
    rule: 'jsonrpc.id',
    response: (json) => ({ ...json, id: json.id === null ? null : String(json.id) }),
  },
  {
    name: 'takes what is no JSON for a wrong request',
    rule: 'jsonrpc.parse',
    response: (json) => (json.error?.code === -32700 ? errorOf(json, -32600) : json),
  },
  {
    name: 'has a result beside its errors',
    rule: 'jsonrpc.result-or-error',
    response: (json) => (json.error ? { ...json, result: null } : json),
  },
  {
    name: 'has an object as error data',
    rule: 'jsonrpc.data-array',
    response: (json) => (json.error?.data ? { ...json, error: { ...json.error, data: json.error.data[0] } } : json),
    also: ['errors.fields', 'errors.info-jsonrpc'],
  },
  {
    name: 'sends JSON as text',
    rule: 'jsonrpc.content-type',
    headers: (headers, { path }) =>
      path === '/a2a' && String(headers['content-type']).includes('json')
        ? { ...headers, 'content-type': 'text/plain' }
        : headers,
  },
  {
    name: 'serves every version as 1.0',
    rule: 'version.unsupported',
    requestHeaders: (headers) => (headers['a2a-version'] === '99.0' ? { ...headers, 'a2a-version': '1.0' } : headers),
  },
  {
    name: 'knows no patch numbers',
    rule: 'version.patch-ignored',
    requestHeaders: (headers) => (headers['a2a-version'] === '1.0.1' ? { ...headers, 'a2a-version': '99.0' } : headers),
  },
  {
    name: 'activates whatever is asked for',
    rule: 'extension.unknown-ignored',
    headers: (headers, seen) => ({ ...headers, 'a2a-extensions': seen.headers['a2a-extensions'] }),
  },
  {
    name: 'loses the values of data parts',
    rule: 'parts.values',
    response: (json) => mapped(json, (value, name) => (name === 'data' && value === null ? {} : value)),
    also: ['json.metadata'],
  },
  {
    name: 'has other HTTP statuses',
    at: REST,
    rule: 'errors.http-status',
    status: (status, { path }) => (status === 400 && path.endsWith(':cancel') ? 409 : status),
    also: ['rest.error-body'],
  },
  {
    name: 'has errors that are not under a member',
    at: REST,
    rule: 'rest.error-body',
    response: (json) => (json.error?.details ? json.error : json),
    also: ['errors.info', 'errors.fields', 'rest.query-bad', 'rest.routes', 'errors.code-message', 'card.truthful'],
  },
  {
    name: 'reads any content type',
    at: REST,
    rule: 'rest.type-other',
    requestHeaders: (headers) =>
      headers['content-type'] === 'text/plain' ? { ...headers, 'content-type': 'application/json' } : headers,
  },
  {
    name: 'wraps results of 0.3',
    at: OLD,
    rule: 'v03.result-bare',
    response: (json, seen) =>
      isMethod(seen, 'message/send') && json.result ? { ...json, result: { [json.result.kind]: json.result } } : json,
    also: ['version.semantics'],
  },
  {
    name: 'leaves the kind of parts out',
    at: OLD,
    rule: 'v03.kind',
    response: (json) => mapped(json, (value, name) => (name === 'kind' && value === 'text' ? undefined : value)),
  },
  {
    name: 'does not say which update is the last',
    at: OLD,
    rule: 'v03.final-flag',
    event: (json) => mapped(json, (value, name) => (name === 'final' ? undefined : value)),
  },
];
