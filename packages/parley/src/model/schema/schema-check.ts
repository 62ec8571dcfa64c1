import { isPlainObject, type JsonObject } from '../basics/json.ts';
import type { FieldViolation } from '../errors/errors.ts';
import type { SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts';

/** A schema whose JSON Schema is given beside it, for libraries that cannot write it themselves. */
export interface DescribedSchema<Schema extends StandardSchema = StandardSchema> {
  readonly schema: Schema;
  readonly jsonSchema: JsonObject;
}

/** A schema, or a schema with its description. */
export type SchemaSource = StandardSchema | DescribedSchema;

type SchemaOf<Source> = Source extends DescribedSchema<infer Schema> ? Schema : Source;

/** The input type of a schema, described or not. */
export type SourceInput<Source> =
  SchemaOf<Source> extends infer Schema extends StandardSchema ? SchemaInput<Schema> : unknown;
/** The output type of a schema, described or not. */
export type SourceOutput<Source> =
  SchemaOf<Source> extends infer Schema extends StandardSchema ? SchemaOutput<Schema> : unknown;

/** The result of a check. `violations` name the places below `root`. */
export type Checked =
  | { readonly value: unknown; readonly violations?: undefined }
  | { readonly violations: readonly FieldViolation[] };

export function schemaOf(source: SchemaSource): StandardSchema {
  return '~standard' in source ? source : source.schema;
}

/** Checks a value. Returns a promise only if the schema does. */
export function check(source: SchemaSource, value: unknown, root: string): Checked | Promise<Checked> {
  const result = schemaOf(source)['~standard'].validate(value);
  return result instanceof Promise ? result.then((later) => checked(later, root)) : checked(result, root);
}

type Result = Awaited<ReturnType<StandardSchema['~standard']['validate']>>;

const MOST_VIOLATIONS = 20;
const LONGEST_TEXT = 200;

function checked(result: Result, root: string): Checked {
  if (!result.issues) return { value: result.value };
  const violations = result.issues.slice(0, MOST_VIOLATIONS).map(({ message, path = [] }) => ({
    field: shortened(root + path.map(segment).join('')),
    description: shortened(message),
  }));
  return { violations: violations.length > 0 ? violations : [{ field: root, description: 'is not valid' }] };
}

function segment(step: PropertyKey | { readonly key: PropertyKey }): string {
  const key = typeof step === 'object' ? step.key : step;
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
}

/** Newer libraries describe themselves (Standard JSON Schema 1). */
type JsonSchemaWriter = Readonly<Record<'input' | 'output', (options: { readonly target: string }) => unknown>>;

/**
 * The JSON Schema of what goes in or comes out: as it is given, or as the library writes it. Undefined where nobody
 * knows it. Throws what the library throws where it cannot put its schema into words.
 */
export function jsonSchemaOf(source: SchemaSource, side: 'input' | 'output'): JsonObject | undefined {
  if (!('~standard' in source)) return detached(source.jsonSchema);
  const { jsonSchema } = source['~standard'] as { readonly jsonSchema?: JsonSchemaWriter | undefined };
  if (jsonSchema) return detached(jsonSchema[side]({ target: 'draft-2020-12' }));
  const { toJSONSchema } = source as { readonly toJSONSchema?: unknown };
  return typeof toJSONSchema === 'function' ? detached(toJSONSchema.call(source, { io: side })) : undefined;
}

function detached(schema: unknown): JsonObject | undefined {
  const copy: unknown = JSON.parse(JSON.stringify(schema ?? null));
  return isPlainObject(copy) ? (copy as JsonObject) : undefined;
}
