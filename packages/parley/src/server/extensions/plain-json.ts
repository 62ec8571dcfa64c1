import type { JsonValue } from '../../model/basics/json.ts';

/** The value of a hook as it is stored and sent; throws a TypeError where JSON cannot carry it. */
export function plainJson(value: unknown, uri: string): JsonValue {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A hook of the extension ${uri} must return JSON, not a ${typeof value}`);
  return JSON.parse(text) as JsonValue;
}
