import { isPlainObject } from '../../model/basics/json.ts';
import type { SchemaResult, StandardSchema } from '../../model/schema/standard-schema.ts';

export interface ToolInput {
  /** The task for the agent, in plain words. */
  readonly task: string;
}

export interface ToolParameters {
  readonly type: 'object';
  readonly properties: { readonly task: { readonly type: 'string'; readonly description: string } };
  readonly required: readonly ['task'];
  readonly additionalProperties: false;
}

/** A Standard Schema that also describes itself as JSON Schema, which is how libraries tell a model about it. */
export interface ToolInputSchema extends StandardSchema<ToolInput> {
  readonly '~standard': StandardSchema<ToolInput>['~standard'] & {
    readonly jsonSchema: {
      readonly input: (options?: unknown) => Record<string, unknown>;
      readonly output: (options?: unknown) => Record<string, unknown>;
    };
  };
}

export const PARAMETERS: ToolParameters = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What the agent is to do, in plain words' } },
  required: ['task'],
  additionalProperties: false,
};

/** The JSON Schema is the same in every draft. Callers may change what they get. */
const described = () => structuredClone<object>(PARAMETERS) as Record<string, unknown>;

export const INPUT_SCHEMA: ToolInputSchema = {
  '~standard': { version: 1, vendor: 'parley', validate, jsonSchema: { input: described, output: described } },
};

function validate(value: unknown): SchemaResult<ToolInput> {
  if (isPlainObject(value) && typeof value.task === 'string') return { value: { task: value.task } };
  return { issues: [{ message: 'must be a text', path: ['task'] }] };
}
