import type { WireError } from '../../model/errors.ts';
import { isPlainObject } from '../../model/json.ts';
import { JSONRPC_CODES } from '../../model/jsonrpc-codes.ts';
import type { RpcError } from '../dialect.ts';

/** The one error whose words and data the document shows (S2.10). */
export function rpcError({ code, lists }: WireError): RpcError | undefined {
  if (code !== 'EXTENSION_SUPPORT_REQUIRED') return undefined;
  const { required = [], provided = [] } = lists ?? {};
  return { code: JSONRPC_CODES[code], message: 'Extension support required', data: { required, provided } };
}

/** A received error whose data has lists of texts, with a text for each: the model's facts are texts. */
export function withoutLists(error: unknown): unknown {
  if (!isPlainObject(error) || !isPlainObject(error.data)) return error;
  const facts = Object.entries(error.data).map(([name, value]) => [name, isTexts(value) ? value.join(',') : value]);
  return { ...error, data: Object.fromEntries(facts) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
