import { isPlainObject } from '../../../model/basics/json.ts';
import {
  A2AError,
  type FieldViolation,
  PROTOCOL_ERROR_CODES,
  WIRE_ERRORS,
  type WireErrorCode,
} from '../../../model/errors/errors.ts';
import { transportCodeOf } from '../../../model/errors/http-status-codes.ts';
import type { OperationName } from '../../../model/operations.ts';
import { CODES_OF_TYPES, JSONRPC_OWN_CODES } from './error-types.ts';

/*
 * Errors of both versions and bindings are read by one reader: deployed servers mix the shapes (reference: v03 §5), and
 * no shape can be taken for another. The reason decides, then the JSON-RPC number, then the name of the gRPC status
 * (reference: v1-bindings §2); the HTTP status comes last.
 */

/** The nine, and before them what JSON-RPC itself has: several of our codes share a number (model/errors/jsonrpc-codes.ts). */
const BY_NUMBER: ReadonlyMap<unknown, WireErrorCode> = new Map<unknown, WireErrorCode>([
  ...PROTOCOL_ERROR_CODES.map((code, index) => [-32001 - index, code] as const),
  ...JSONRPC_OWN_CODES.map((code, index) => [-32600 - index, code] as const),
  [-32700, 'PARSE_ERROR'],
]);

/** The names of gRPC that are not ours. */
const BY_GRPC_STATUS: ReadonlyMap<unknown, WireErrorCode> = new Map<unknown, WireErrorCode>([
  ['INVALID_ARGUMENT', 'INVALID_PARAMS'],
  ['OUT_OF_RANGE', 'INVALID_PARAMS'],
  ['UNIMPLEMENTED', 'UNSUPPORTED_OPERATION'],
  ['FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  ['RESOURCE_EXHAUSTED', 'OVERLOADED'],
]);

/** A JSON-RPC error object: `{code, message, data}`. */
export function readJsonRpcError(error: unknown, operation: OperationName): A2AError {
  const members = isPlainObject(error) ? error : {};
  return toError(members, factsOf(members.data), operation);
}

/**
 * The body of a REST error: that of 1.0 (`{"error": {code, status, message, details}}`), that of 0.3, bare or under
 * `error` or both at once, or a problem document. Undefined where it is none of these.
 */
export function readRestError(body: unknown, operation: OperationName): A2AError | undefined {
  if (!isPlainObject(body)) return undefined;
  const { error, code, type } = body;
  if (isPlainObject(error)) {
    // The members beside a status are more exact than the number of HTTP in it.
    const told = { ...(isOfJsonRpc(code) && { code }), ...(CODES_OF_TYPES.has(type) && { type }) };
    return readRestError({ ...error, ...told }, operation);
  }
  const isTold = typeof code === 'number' || typeof body.status === 'string' || CODES_OF_TYPES.has(type);
  if (typeof body.message === 'string' && isTold) {
    return toError(body, factsOf(body.details ?? body.data), operation);
  }
  const { title, detail } = body;
  const text = [title, detail].filter((part) => typeof part === 'string').join(': ');
  return typeof title === 'string' ? toError({ message: text }, NO_FACTS, operation) : undefined;
}

interface Facts {
  readonly reason: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
}

const NO_FACTS: Facts = { reason: undefined, metadata: {}, violations: [] };

function toError(members: Readonly<Record<string, unknown>>, facts: Facts, operation: OperationName): A2AError {
  const { code: number } = members;
  const { metadata, violations } = facts;
  const code = codeOf(facts, members, operation);
  const unknown = facts.reason !== undefined && facts.reason !== code ? facts.reason : ownNumber(number);
  const message = (typeof members.message === 'string' && members.message) || `Error ${code}`;
  return new A2AError(code, message, { metadata, violations, reason: unknown });
}

type Numbers = Readonly<Partial<Record<'code' | 'status' | 'type', unknown>>>;

function codeOf(facts: Facts, { code: number, status, type }: Numbers, operation: OperationName): WireErrorCode {
  if (WIRE_ERRORS.has(facts.reason)) return facts.reason as WireErrorCode;
  const byNumber = BY_NUMBER.get(number) ?? CODES_OF_TYPES.get(type);
  if (byNumber !== undefined) return byNumber;
  const byHttp = typeof number === 'number' ? transportCodeOf(number) : undefined;
  if (byHttp !== undefined) return byHttp;
  if (status === 'UNIMPLEMENTED' && number === 404) return 'METHOD_NOT_FOUND';
  const byStatus = WIRE_ERRORS.has(status) ? (status as WireErrorCode) : BY_GRPC_STATUS.get(status);
  if (byStatus === 'NOT_FOUND' && NAMES_A_TASK.test(operation)) return 'TASK_NOT_FOUND';
  return byStatus ?? 'INTERNAL';
}

/** Operations whose only subject that can be missing is a task, or belongs to one. */
const NAMES_A_TASK = /Task$|PushConfig/;

/** The others are of HTTP. */
function isOfJsonRpc(code: unknown): code is number {
  return typeof code === 'number' && code < 0;
}

/** A number of the server's own is kept for callers that know it. */
function ownNumber(number: unknown): string | undefined {
  return isOfJsonRpc(number) && !BY_NUMBER.has(number) ? String(number) : undefined;
}

/** Details are a list of typed objects in 1.0; in 0.3 they are whatever the server has. */
function factsOf(data: unknown): Facts {
  if (Array.isArray(data)) return factsOfDetails(data);
  if (typeof data === 'string' && data !== '') return { ...NO_FACTS, metadata: { data } };
  if (!isPlainObject(data)) return NO_FACTS;
  return { reason: undefined, metadata: textsOf(data), violations: violationsOf(data.fieldViolations) };
}

const ERROR_INFO = 'google.rpc.ErrorInfo';
const BAD_REQUEST = 'google.rpc.BadRequest';

function factsOfDetails(details: readonly unknown[]): Facts {
  let { reason, metadata, violations } = NO_FACTS;
  for (const detail of details) {
    if (!isPlainObject(detail)) continue;
    const type = typeof detail['@type'] === 'string' ? detail['@type'] : '';
    if (type.endsWith(ERROR_INFO)) {
      if (typeof detail.reason === 'string') reason = detail.reason;
      if (isPlainObject(detail.metadata)) metadata = textsOf(detail.metadata);
    } else if (type.endsWith(BAD_REQUEST)) {
      violations = violationsOf(detail.fieldViolations ?? detail.field_violations);
    }
  }
  return { reason, metadata, violations };
}

function textsOf(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts = Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

function violationsOf(list: unknown): readonly FieldViolation[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isPlainObject).map(({ field, description }) => ({
    field: typeof field === 'string' ? field : '',
    description: typeof description === 'string' ? description : '',
  }));
}
