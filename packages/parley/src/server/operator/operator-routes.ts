import { type ExchangeResponse, header } from '../../bindings/exchange.ts';
import { parseBody } from '../../bindings/http/body/body.ts';
import type { Awaitable, Logger } from '../../engine/ports.ts';
import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import { A2AError, isA2AError, quoted } from '../../model/errors/errors.ts';
import type { Asked } from '../http/asked.ts';
import type { OperatorRoute } from '../routing/routes.ts';
import type { InternalErrors } from './internal-errors.ts';
import { problem, problemOf } from './problems.ts';

/** A request of an operator. */
export interface OperatorRequest {
  /** The task's or the context's, from the address. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The object that was posted. Throws if there is none. */
  readonly body: () => JsonObject;
  readonly asked: Asked;
}

/** One of the operators' resources. What it returns is written as JSON, unless it is a response. */
export interface OperatorResource {
  readonly method: 'GET' | 'POST';
  readonly respond: (request: OperatorRequest) => Awaitable<object>;
}

type OperatorResources = Readonly<Partial<Record<OperatorRoute['resource'], OperatorResource>>>;

interface OperatorRoutesOptions {
  readonly resources: OperatorResources;
  readonly log: Logger;
  readonly failures: InternalErrors;
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
};

/** The fault is that of an outside server which was called for the operator. */
const GATEWAY_STATUSES: Readonly<Record<string, number>> = { UNREACHABLE: 502, TIMEOUT: 504 };

/** Responds to operators, whose requests the pipeline has let pass. */
export class OperatorRoutes {
  readonly #options: OperatorRoutesOptions;

  constructor(options: OperatorRoutesOptions) {
    this.#options = options;
  }

  async respond(asked: Asked, { resource, id = '' }: OperatorRoute): Promise<ExchangeResponse> {
    const { request, query } = asked;
    const found = this.#options.resources[resource];
    if (!found) return problem(404, `${resource} is served only where the console is on: set console: true`);
    const allow = found.method === 'GET' ? 'GET, HEAD' : 'POST';
    if (!allow.split(', ').includes(request.method)) {
      return problem(405, `${quoted(request.method)} is not allowed here; use ${allow}`, { allow });
    }
    if (found.method === 'POST' && !isJson(request)) {
      return problem(415, 'The body must be JSON, with content-type: application/json');
    }
    try {
      const made = await found.respond({ id, query, body: () => objectIn(request.body), asked });
      if (isResponse(made)) return made;
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(made) };
    } catch (error) {
      const gateway = isA2AError(error) ? GATEWAY_STATUSES[error.code] : undefined;
      if (isA2AError(error) && gateway !== undefined) return problem(gateway, error.message);
      const known = A2AError.from(error);
      return problemOf(known.code === 'INTERNAL' ? this.#options.failures.report(known, asked.caller.subject) : known);
    }
  }
}

/** A form of another site cannot say that it is JSON without asking first, whatever credentials its browser adds. */
function isJson({ headers }: Asked['request']): boolean {
  return /^application\/json\s*(?:;|$)/i.test(header(headers, 'content-type') ?? '');
}

function objectIn(body: unknown): JsonObject {
  const value = parseBody(body);
  if (isPlainObject(value)) return value as JsonObject;
  throw new A2AError('INVALID_PARAMS', 'The body must be a JSON object');
}

function isResponse(made: object): made is ExchangeResponse {
  return 'status' in made && 'headers' in made && 'body' in made;
}
