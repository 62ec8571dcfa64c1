import { faultOf, isPlainObject, type JsonObject } from '../../../../model/basics/json.ts';
import { SCHEMA_BYTES, SCHEMA_LEVELS } from '../limits.ts';
import type { SchemaCheck } from './schema-check.ts';

/** A JSON Schema whose values are objects, as MCP wants them of tools. */
export interface ObjectSchema extends JsonObject {
  readonly type: 'object';
}

/** The schema of a tool's input, and how its arguments are read. */
export interface InputShape {
  readonly schema: ObjectSchema;
  /** The arguments are the input itself, or have it in this member. */
  readonly member: 'input' | undefined;
}

/** Members of a schema to which references lead; they stay at its root. */
const DEFINITIONS = ['$schema', '$defs', 'definitions'] as const;

/** A schema that takes objects stays as it is; the value of any other is a member, `input`. */
export function inputShapeOf(given: JsonObject, check: SchemaCheck): InputShape {
  const schema = withoutName(given);
  const usable = isUsable(schema, check) ? schema : {};
  const root = asObjectSchema(usable);
  if (root) return { schema: root, member: undefined };
  const inner = hasOwnReferences(usable) ? {} : usable;
  const hoisted = Object.fromEntries(DEFINITIONS.flatMap((name) => (name in inner ? [[name, inner[name]]] : [])));
  const rest = Object.fromEntries(Object.entries(inner).filter(([name]) => !DEFINITIONS.some((one) => one === name)));
  return {
    schema: { ...hoisted, type: 'object', properties: { input: rest }, required: ['input'] },
    member: 'input',
  };
}

/** The schema of a tool's output; undefined where its values may be something else than objects. */
export function outputSchemaOf(given: JsonObject, check: SchemaCheck): ObjectSchema | undefined {
  const schema = withoutName(given);
  return isUsable(schema, check) ? asObjectSchema(schema) : undefined;
}

/** Clients keep schemas by their names, and take one for the other where two agents use the same. */
function withoutName({ $id: _name, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** Cards come from strangers. */
function isUsable(schema: JsonObject, check: SchemaCheck): boolean {
  if (faultOf(SCHEMA_LEVELS, schema) !== undefined) return false;
  return JSON.stringify(schema).length <= SCHEMA_BYTES && check(schema);
}

function asObjectSchema(schema: JsonObject): ObjectSchema | undefined {
  if (schema.type === 'object') return schema as ObjectSchema;
  if (schema.type !== undefined) return undefined;
  const branches = schema.oneOf ?? schema.anyOf;
  const takesObjects =
    Array.isArray(branches) &&
    branches.length > 0 &&
    branches.every((one) => isPlainObject(one) && one.type === 'object');
  return takesObjects ? { ...schema, type: 'object' } : undefined;
}

/** References to other places than the definitions would lead elsewhere once the schema is a member. */
function hasOwnReferences(schema: JsonObject): boolean {
  return /"\$(?:ref|dynamicRef)":"(?!#\/(?:\$defs|definitions)\/)/.test(JSON.stringify(schema));
}
