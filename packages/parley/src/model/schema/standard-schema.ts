import { isPlainObject } from '../basics/json.ts';

/** The interface that validation libraries share (Standard Schema 1): Zod, Valibot, ArkType and others have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for the types. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The input type of a schema. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** The output type of a schema. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

export function isStandardSchema(value: unknown): value is StandardSchema {
  // Schemas of some libraries are functions.
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const standard = isObject ? (value as { readonly '~standard'?: unknown })['~standard'] : undefined;
  return isPlainObject(standard) && typeof standard.validate === 'function';
}
