import type { Wire } from '../../support/rpc.ts';
import type { Defect, Seen } from './broken-server.ts';

export interface DefectCase extends Defect {
  readonly name: string;
  /** The rule that is meant for it. */
  readonly rule: string;
  /** Rules that cannot but see it as well. */
  readonly also?: readonly string[];
  /** The interface that is looked at; JSON-RPC of 1.0 if left out. */
  readonly at?: readonly [protocol: '1.0' | '0.3', binding: 'jsonrpc' | 'rest'];
}

/** The request calls one of these methods of JSON-RPC. */
export const isMethod = (seen: Seen, ...methods: readonly string[]) => methods.includes(seen.json?.method);
/** The same error with another code and nothing else. */
export const errorOf = (json: Wire, code: number) =>
  json.error ? { ...json, error: { code, message: json.error.message } } : json;

/** Changes every value of a document. */
export function mapped(value: Wire, change: (value: Wire, name: string) => Wire, name = ''): Wire {
  const own = change(value, name);
  if (Array.isArray(own)) return own.map((item) => mapped(item, change));
  if (typeof own !== 'object' || own === null) return own;
  return Object.fromEntries(Object.entries(own).map(([key, item]) => [key, mapped(item, change, key)]));
}
