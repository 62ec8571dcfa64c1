import type { JsonObject, StandardSchema } from 'parley-a2a';
import type { DescribedSchema } from 'parley-a2a/types';

/**
 * A schema without a library: a check, and its words in JSON Schema. With Zod 4 the same is
 * `z.object({ amount: z.number(), from: z.enum([…]), to: z.enum([…]) })`.
 */
export function schema<Value>(
  jsonSchema: JsonObject,
  problemsOf: (value: Record<string, unknown>) => Readonly<Record<string, string | false>>,
): DescribedSchema<StandardSchema<Value>> {
  return {
    jsonSchema,
    schema: {
      '~standard': {
        version: 1,
        vendor: 'example',
        validate(value) {
          if (typeof value !== 'object' || value === null) return { issues: [{ message: 'must be an object' }] };
          const problems = Object.entries(problemsOf(value as Record<string, unknown>));
          const issues = problems.flatMap(([name, message]) => (message ? [{ message, path: [name] }] : []));
          return issues.length > 0 ? { issues } : { value: value as Value };
        },
      },
    },
  };
}
