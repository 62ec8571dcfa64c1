import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';

/**
 * The schema of a result as the data modes of providers take it: an object at its root, and no object with members that
 * are not named. Undefined for any other root, which the model is told in words alone. A schema that describes an object in
 * several places stays as it is: closed, each of them would forbid the members of the others.
 */
export function outputModeSchema(schema: JsonObject): JsonObject | undefined {
  if (schema.type !== 'object') return undefined;
  return describesInParts(schema) ? schema : (closed(schema) as JsonObject);
}

/** Members that hold schemas by names. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
/** Members that hold a schema or a list of them. */
const WITHIN: ReadonlySet<string> = new Set(['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf']);
/** Members by which further schemas describe an object that has members itself. */
const BESIDE: readonly string[] = ['anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'];

function describesInParts(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.some(describesInParts);
  if (!isPlainObject(schema)) return false;
  if ('allOf' in schema || ('properties' in schema && BESIDE.some((name) => name in schema))) return true;
  return Object.entries(schema as JsonObject).some(([name, value = null]) => {
    if (WITHIN.has(name)) return describesInParts(value);
    return BY_NAME.has(name) && isPlainObject(value) && Object.values(value as JsonObject).some(inParts);
  });
}

const inParts = (schema: JsonValue | undefined): boolean => describesInParts(schema ?? null);

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
  return Object.fromEntries(isOpen ? [...entries, ['additionalProperties', false]] : entries);
}

function closedEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema = null]) => [name, closed(schema)]));
}
