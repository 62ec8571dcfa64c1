import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';

/**
 * The schema of a result as the data modes of providers take it: an object at its root, and no object with members that
 * are not named. Undefined for any other root, which the model is told in words alone.
 */
export function outputModeSchema(schema: JsonObject): JsonObject | undefined {
  return schema.type === 'object' ? (closed(schema) as JsonObject) : undefined;
}

/** Members that hold schemas by names. Those of `allOf` stay open: each of them would forbid the members of the others. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
/** Members that hold a schema or a list of them. */
const WITHIN: ReadonlySet<string> = new Set(['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf']);

function closed(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isPlainObject(schema)) return schema;
  const entries = Object.entries(schema as JsonObject).map(([name, value = null]): [string, JsonValue] => {
    if (WITHIN.has(name)) return [name, closed(value)];
    if (BY_NAME.has(name) && isPlainObject(value)) return [name, closedEach(value as JsonObject)];
    return [name, value];
  });
  const isOpen =
    isPlainObject(schema.properties) && !('additionalProperties' in schema || 'patternProperties' in schema);
  return Object.fromEntries(isOpen && !('allOf' in schema) ? [...entries, ['additionalProperties', false]] : entries);
}

function closedEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema = null]) => [name, closed(schema)]));
}
