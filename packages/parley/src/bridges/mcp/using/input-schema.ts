import { isPlainObject } from '../../../model/basics/json.ts';
import type { SchemaResult, StandardSchema } from '../../../model/schema/standard-schema.ts';

type JsonSchemaWriter = (options?: unknown) => Record<string, unknown>;

/** A Standard Schema that also describes itself as JSON Schema: what the AI SDK takes. */
export interface McpInputSchema extends StandardSchema<Record<string, unknown>> {
  readonly '~standard': StandardSchema<Record<string, unknown>>['~standard'] & {
    readonly jsonSchema: { readonly input: JsonSchemaWriter; readonly output: JsonSchemaWriter };
  };
}

/** The server checks the arguments by the schema; here it is only known that they are an object. */
export function inputSchemaOf(schema: unknown): McpInputSchema {
  const described = { type: 'object', properties: {}, ...(isPlainObject(schema) ? schema : {}) };
  // Callers may change what they get.
  const write = () => structuredClone(described) as Record<string, unknown>;
  return { '~standard': { version: 1, vendor: 'parley', validate, jsonSchema: { input: write, output: write } } };
}

function validate(value: unknown): SchemaResult<Record<string, unknown>> {
  return isPlainObject(value) ? { value } : { issues: [{ message: 'must be an object', path: [] }] };
}
