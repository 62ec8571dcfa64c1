import { invalidParams } from '../../model/errors/errors.ts';
import type { OperationName, PushOperationName } from '../../model/operations.ts';
import type { CallingRest, RestCallRequest } from '../calling/calling.ts';
import type { RestPaths } from '../dialect.ts';

/** The operations of every client; those on webhooks are apart. */
type PlainOperation = Exclude<OperationName, PushOperationName>;

/** The routes that both versions have (reference: v1-bindings §5.2), below the prefix of each. */
const ROUTES: Readonly<Record<PlainOperation, string>> = {
  sendMessage: 'POST message:send',
  sendStreamingMessage: 'POST message:stream',
  getTask: 'GET tasks/{id}',
  listTasks: 'GET tasks',
  cancelTask: 'POST tasks/{id}:cancel',
  subscribeToTask: 'POST tasks/{id}:subscribe',
  getExtendedCard: 'GET {extendedCard}',
};

/** The parameters in the path of a request, by the names of its route. */
type PathValues = Readonly<Partial<Record<'tenant' | 'taskId' | 'id', string>>>;

/** Writes a request by its route; `params` are the members of its body or query, without those of the path. */
export function restRequest(paths: RestPaths, route: string, values: PathValues, params: object): RestCallRequest {
  const [verb, template = ''] = route.split(' ');
  const known: Readonly<Record<string, string>> = { ...values, extendedCard: paths.extendedCard };
  const steps = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, known[name] ?? ''));
  const tenant = paths.tenants && values.tenant ? segment('tenant', values.tenant) : undefined;
  const path = ['', paths.prefix, tenant, steps].filter((part) => part !== undefined).join('/');
  if (verb === 'POST') return { verb, path, query: {}, body: params };
  const query = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { verb: verb as 'GET' | 'DELETE', path, query: Object.fromEntries(query), body: undefined };
}

/** The members of the bodies and queries of a version. */
export type RestParams = {
  readonly [Name in PlainOperation]: (input: Parameters<CallingRest['encodeRequest'][Name]>[0]) => object;
};

/** The writers of requests, but for those on webhooks. */
export type PlainRestWriters = Omit<CallingRest['encodeRequest'], PushOperationName>;

/** The writers of all requests of a version. */
export function restWriters(paths: RestPaths, params: RestParams): PlainRestWriters {
  const writer = (name: PlainOperation) => (input: PathValues) => {
    const request = restRequest(paths, ROUTES[name], input, params[name](input as never));
    return name === 'subscribeToTask' ? { ...request, otherVerb: 'GET' } : request;
  };
  const names = Object.keys(ROUTES) as PlainOperation[];
  return Object.fromEntries(names.map((name) => [name, writer(name)])) as unknown as PlainRestWriters;
}

/** An empty segment would be another route. `.` and `..` would be taken for steps in the path even when encoded. */
function segment(field: string, value: string): string {
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed())
    throw invalidParams({ field, description: `cannot be "${value}" in a path` });
  return encodeURIComponent(value);
}
