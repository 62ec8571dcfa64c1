import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { OperationName } from '../../model/operations.ts';
import type { ExchangeRequest } from '../exchange.ts';
import { parseBody } from '../http/body/body.ts';

/** Operations whose body may be missing, empty or `null` (reference: v1-bindings §5.2, Empty bodies). */
const BODY_OPTIONAL: ReadonlySet<OperationName> = new Set(['cancelTask', 'subscribeToTask']);

const FLAGS: ReadonlySet<string> = new Set(['includeArtifacts', 'include_artifacts']);

/** The parsed body of a POST; undefined if there is none and none is needed. `values`: see parseBody. */
export function readRestBody(request: ExchangeRequest, operation: OperationName, values?: number): unknown {
  if (request.method !== 'POST') return undefined;
  const { body } = request;
  if (BODY_OPTIONAL.has(operation) && (body === undefined || isBlank(body))) return undefined;
  const parsed = parseBody(body, values);
  return parsed === null ? undefined : parsed;
}

/**
 * Body, query and path as one object of parameters; what the path says wins (reference: v1-bindings §5.2, Conflicts).
 * What is posted has its parameters in the body; only the tenant may stand in its query.
 */
export function restParameters(
  verb: string,
  body: unknown,
  query: URLSearchParams,
  path: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (body !== undefined && !isPlainObject(body)) {
    throw new A2AError('INVALID_PARAMS', 'Invalid parameters: the body must be a JSON object', {
      violations: [{ field: 'body', description: 'must be a JSON object' }],
    });
  }
  const parameters: Record<string, unknown> = Object.create(null);
  for (const [name, value] of query) {
    if (verb !== 'POST' || name === 'tenant') parameters[name] = FLAGS.has(name) ? toFlag(value) : value;
  }
  return Object.assign(parameters, body, path);
}

/** Anything but the two words stays as it is and is refused by its reader. */
function toFlag(value: string): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function isBlank(body: unknown): boolean {
  if (body instanceof Uint8Array) return body.length === 0 || new TextDecoder().decode(body).trim() === '';
  return typeof body === 'string' && body.trim() === '';
}
