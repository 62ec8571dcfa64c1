import { isPlainObject } from '../../../model/basics/json.ts';
import { type A2AError, wireCode } from '../../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../../model/errors/jsonrpc-codes.ts';
import type { RestPaths, RestRequest, RestStatus, WireValue } from '../../dialect.ts';
import type { FileEncoding, FileEncodingOptions } from '../../file-encoding.ts';
import { statusBody } from '../../wire/errors/error-details.ts';
import { ERROR_TYPES } from '../../wire/errors/error-types.ts';
import { encodingOf } from '../../wire/values/file-bytes.ts';
import { errorDetails } from '../errors.ts';

export const PATHS: RestPaths = { prefix: 'v1', extendedCard: 'card', lists: false, tenants: false };

export const MEDIA_TYPES: readonly string[] = ['application/json'];

/** `text`: the JSON types of the document, wrapped; `proto`: the ProtoJSON of its proto; `bare`: as in JSON-RPC. */
export type RestForm = 'text' | 'proto' | 'bare';

/**
 * A union of what clients in use read, since the document defines no body (reference: v03 §5): a `google.rpc.Status` for
 * Go, the name of the error for Python, the code of JSON-RPC for ourselves and others. At the root of the host it is what
 * a JSON-RPC error is inside its envelope, under `error`; where the server or the agent failed its code is that of HTTP
 * (seed S0.12).
 */
export function errorBody(error: A2AError, status: RestStatus, place: RestRequest['place']): WireValue {
  const known = wireCode(error.code);
  const code = JSONRPC_CODES[known];
  const { message } = error;
  if (place === 'root') {
    return { error: { code: status.http >= 500 ? status.http : code, message, data: errorDetails(error) } };
  }
  return { error: statusBody(error, status), type: ERROR_TYPES[known], code, message };
}

/**
 * Responses have the form of the request: `parts` in its message is the text's, `content` the proto's. A request without
 * a message, above all a GET, gets the proto's, unless it is in the text's words (reference: v03 §8).
 */
export function formOf({ body, place }: RestRequest): RestForm {
  if (place === 'root') return 'bare';
  if (!isPlainObject(body)) return 'proto';
  const message = body.message ?? body.request;
  if (isPlainObject(message)) return isProtoMessage(message) ? 'proto' : 'text';
  const config = isPlainObject(body.config) ? body.config : body;
  return isTextConfig(config) ? 'text' : 'proto';
}

/** The encoding of files for a request: a caller that sends a file wants others in the same way. */
export function filesFor({ body, files = {} }: RestRequest): FileEncodingOptions {
  const { read, write, usual } = files;
  return { read, write: write ?? encodingIn(body) ?? usual };
}

function encodingIn(body: unknown): FileEncoding | undefined {
  const message = isPlainObject(body) ? (body.message ?? body.request) : undefined;
  const content = isPlainObject(message) && Array.isArray(message.content) ? message.content : [];
  for (const part of content) {
    const file: unknown = isPlainObject(part) ? part.file : undefined;
    const seen = isPlainObject(file) ? encodingOf(file.fileWithBytes ?? file.file_with_bytes) : undefined;
    if (seen) return seen;
  }
  return undefined;
}

/** A message in ProtoJSON calls its parts `content`. */
export function isProtoMessage(message: Readonly<Record<string, unknown>>): boolean {
  return !isSet(message.parts) && (isSet(message.content) || !isSet(message.kind));
}

/** The proto has the task's id only inside of resource names. */
function isTextConfig(config: Readonly<Record<string, unknown>>): boolean {
  return isSet(config.kind) || isSet(config.taskId) || isSet(config.task_id);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
