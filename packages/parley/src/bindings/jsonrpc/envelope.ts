import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { DEFAULT_INPUT_LIMITS } from '../../model/input-limits.ts';
import { parseBody } from '../http/body/body.ts';

export type JsonRpcId = string | number | null;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params?: unknown;
}

/** The id of a body, as far as it can be read and written again. */
export function idOf(body: unknown, longest = DEFAULT_INPUT_LIMITS.idLength): JsonRpcId {
  const id = isPlainObject(body) ? body.id : undefined;
  return (typeof id === 'string' && id.length <= longest) || Number.isFinite(id) ? (id as string | number) : null;
}

export function hasId(body: unknown): boolean {
  return isPlainObject(body) && body.id !== undefined;
}

/** reference: v1-bindings §4.2. A request without `id` is answered with `id` null. */
export function parseEnvelope(body: unknown, longest = DEFAULT_INPUT_LIMITS.idLength): JsonRpcRequest {
  if (Array.isArray(body)) throw invalidRequest('batches are not part of A2A: send one request object');
  if (!isPlainObject(body)) throw invalidRequest('must be a JSON object');
  if (body.jsonrpc !== '2.0') throw invalidRequest('"jsonrpc" must be "2.0"');
  const { id, method } = body;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw invalidRequest('"id" must be a string, a number or null');
  }
  if (typeof id === 'string' && id.length > longest) {
    throw invalidRequest(`"id" must have at most ${longest} characters; this one has ${id.length}`);
  }
  if (typeof id === 'number' && !Number.isFinite(id)) throw invalidRequest('"id" must be a finite number');
  if (typeof method !== 'string' || method === '') throw invalidRequest('"method" must be a string');
  return { jsonrpc: '2.0', id: id ?? null, method, params: body.params };
}

/**
 * Reads a JSON-RPC body, text or already parsed: one request, or the list of them that is a batch. Throws an A2AError
 * that names what is wrong (PARSE_ERROR, INVALID_REQUEST).
 */
export function parseJsonRpcRequest(body: unknown): JsonRpcRequest | JsonRpcRequest[] {
  const parsed = parseBody(body);
  if (!Array.isArray(parsed)) return parseEnvelope(parsed);
  if (parsed.length === 0) throw invalidRequest('a batch must not be empty');
  return parsed.map((one) => parseEnvelope(one));
}

export function invalidRequest(problem: string): A2AError {
  return new A2AError('INVALID_REQUEST', `Request payload validation error: ${problem}`);
}
