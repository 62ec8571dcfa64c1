import type { JsonObject } from '../basics/json.ts';
import { check, jsonSchemaOf, type SchemaSource, type SourceOutput } from './schema-check.ts';

/** A value as a schema makes it, or what is wrong with it in one line. */
export type Fitting<Value> =
  | { readonly isValid: true; readonly value: Value }
  | { readonly isValid: false; readonly problem: string };

const MOST_TOLD = 5;

/** @param name what the value is called where the problem is told */
export async function fitting<Source extends SchemaSource>(
  source: Source,
  value: unknown,
  name: string,
): Promise<Fitting<SourceOutput<Source>>> {
  const { violations, ...checked } = await check(source, value, name);
  if (!violations) return { isValid: true, value: (checked as { readonly value: SourceOutput<Source> }).value };
  const told = violations.slice(0, MOST_TOLD).map(({ field, description }) => `${field}: ${description}`);
  return { isValid: false, problem: told.join('; ') };
}

/** The JSON Schema, where it can be had: a transformation, or a date, has none. */
export function jsonSchemaIfKnown(source: SchemaSource, side: 'input' | 'output'): JsonObject | undefined {
  try {
    return jsonSchemaOf(source, side);
  } catch {
    return undefined;
  }
}
