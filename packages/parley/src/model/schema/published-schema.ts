import { isPlainObject, type JsonObject, type JsonValue } from '../basics/json.ts';

/** Keywords that hold a schema, those by name, or a list of them. */
const HOLD_SCHEMA: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]);
const HOLD_NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const HOLD_LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/**
 * The same JSON Schema without any value that is empty (`""`, `[]`, `{}`, null). Libraries in use drop those before they
 * verify a signed card, inside of params too (reference: v1-agent-card §6.6), and so would verify another card. A schema for
 * anything is `true`; an empty constant is said by its type and length; defaults and examples with something empty in them go.
 */
export function publishedSchema(schema: JsonValue): JsonValue {
  // An empty schema allows anything.
  if (schema === '' || schema === null || isEmptyList(schema)) return true;
  if (Array.isArray(schema)) return schema.map(publishedSchema);
  if (!isPlainObject(schema)) return schema;
  const members: [string, JsonValue][] = [];
  const exact: JsonValue[] = [];
  for (const [keyword, value] of Object.entries(schema as JsonObject)) {
    if (value === undefined) continue;
    if (keyword === 'const' && hasEmpty(value)) exact.push(exactly(value));
    else if (keyword === 'enum' && hasEmpty(value)) exact.push(oneOf(value));
    else {
      const published = publishedKeyword(keyword, value);
      if (published !== undefined) members.push([keyword, published]);
    }
  }
  if (exact.length > 0) {
    const before = members.find(([keyword]) => keyword === 'allOf')?.[1];
    members.push(['allOf', [...(Array.isArray(before) ? (before as JsonValue[]) : []), ...exact]]);
  }
  return members.length > 0 ? Object.fromEntries(members) : true;
}

/** Undefined where nothing is left of it. */
function publishedKeyword(keyword: string, value: JsonValue): JsonValue | undefined {
  if (HOLD_SCHEMA.has(keyword)) return isEmptyList(value) ? undefined : publishedSchema(value);
  if (HOLD_LIST.has(keyword) && Array.isArray(value))
    return isEmptyList(value) ? undefined : value.map(publishedSchema);
  if (HOLD_NAMED.has(keyword) && isPlainObject(value)) {
    const named = Object.entries(value as JsonObject).flatMap(([name, inner]): [string, JsonValue][] =>
      inner === undefined || isEmptyList(inner) ? [] : [[name, publishedSchema(inner)]],
    );
    return named.length > 0 ? Object.fromEntries(named) : undefined;
  }
  if (keyword === 'const' || keyword === 'enum') return value;
  if (keyword === 'default') return hasEmpty(value) ? undefined : value;
  if (keyword === 'examples' && Array.isArray(value)) return nonEmpty(value.filter((example) => !hasEmpty(example)));
  return withoutEmpties(value);
}

/** A schema that takes this value alone. */
function exactly(value: JsonValue): JsonValue {
  if (!hasEmpty(value)) return { const: value };
  if (value === null) return { type: 'null' };
  if (typeof value === 'string') return { type: 'string', maxLength: 0 };
  if (Array.isArray(value)) {
    const { length } = value;
    if (length === 0) return { type: 'array', maxItems: 0 };
    return { type: 'array', prefixItems: value.map(exactly), minItems: length, maxItems: length };
  }
  const entries = Object.entries(value as JsonObject).flatMap(([name, inner]) =>
    inner === undefined ? [] : [[name, inner] as const],
  );
  if (entries.length === 0) return { type: 'object', maxProperties: 0 };
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, inner]) => [name, exactly(inner)])),
    // All of them: a list of names could have an empty one.
    minProperties: entries.length,
    additionalProperties: false,
  };
}

function oneOf(values: JsonValue): JsonValue {
  if (!Array.isArray(values) || values.length === 0) return false;
  const plain = values.filter((value: JsonValue) => !hasEmpty(value));
  const others = values.filter((value: JsonValue) => hasEmpty(value)).map(exactly);
  return { anyOf: [...(plain.length > 0 ? [{ enum: plain }] : []), ...others] };
}

function hasEmpty(value: JsonValue | undefined): boolean {
  if (value === '' || value === null) return true;
  if (typeof value !== 'object') return false;
  const inner: readonly unknown[] = Object.values(value);
  return inner.length === 0 || inner.some((item) => hasEmpty(item as JsonValue));
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function nonEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}

/** Undefined where nothing is left. */
function withoutEmpties(value: JsonValue): JsonValue | undefined {
  if (!hasEmpty(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return nonEmpty(value.flatMap((item: JsonValue) => withoutEmpties(item) ?? []));
  const entries = Object.entries(value as JsonObject).flatMap(([name, inner]): [string, JsonValue][] => {
    const left = inner === undefined ? undefined : withoutEmpties(inner);
    return left === undefined ? [] : [[name, left]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
