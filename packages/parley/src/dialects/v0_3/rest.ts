import { type A2AError, wireCode } from '../../model/errors.ts';
import { isPlainObject } from '../../model/json.ts';
import { JSONRPC_CODES } from '../../model/jsonrpc-codes.ts';
import type { RestPaths, RestRequest, RestStatus, WireValue } from '../dialect.ts';

import { errorDetails } from './errors.ts';

export const PATHS: RestPaths = { prefix: 'v1', extendedCard: 'card', lists: false, tenants: false };

export const MEDIA_TYPES: readonly string[] = ['application/json'];

/** `text`: the JSON types of the document, wrapped; `proto`: the ProtoJSON of its proto; `bare`: as in JSON-RPC. */
export type RestForm = 'text' | 'proto' | 'bare';

/**
 * What a JSON-RPC error is inside its envelope (reference: v03 §5). At the root of the host it is under `error`, and where
 * the server or the agent failed its code is that of HTTP (seed S0.12).
 */
export function errorBody(error: A2AError, { http }: RestStatus, mount: RestRequest['mount']): WireValue {
  const code = mount === 'root' && http >= 500 ? http : JSONRPC_CODES[wireCode(error.code)];
  const body = { code, message: error.message, data: errorDetails(error) };
  return mount === 'root' ? { error: body } : body;
}

/**
 * Answers have the form of the request: `parts` in its message is the text's, `content` the proto's. What has no
 * message, above all a GET, gets the proto's, unless it is in the text's words (reference: v03 §8).
 */
export function formOf({ body, mount }: RestRequest): RestForm {
  if (mount === 'root') return 'bare';
  if (!isPlainObject(body)) return 'proto';
  const message = body.message ?? body.request;
  if (isPlainObject(message)) return isTextMessage(message) ? 'text' : 'proto';
  const config = isPlainObject(body.config) ? body.config : body;
  return isTextConfig(config) ? 'text' : 'proto';
}

function isTextMessage(message: Readonly<Record<string, unknown>>): boolean {
  return isSet(message.parts) || (!isSet(message.content) && isSet(message.kind));
}

/** The proto has the task's id only inside of resource names. */
function isTextConfig(config: Readonly<Record<string, unknown>>): boolean {
  return isSet(config.kind) || isSet(config.taskId) || isSet(config.task_id);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
