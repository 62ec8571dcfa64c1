import type { JsonObject, StandardSchema } from 'parley-a2a';

/** A schema as libraries make them, with its description in the newer way where one is given. */
export function schemaOf<Output>(
  read: (value: unknown) => Output,
  jsonSchema?: JsonObject,
): StandardSchema<unknown, Output> {
  return {
    '~standard': {
      version: 1,
      vendor: 'parley-test',
      validate(value) {
        try {
          return { value: read(value) };
        } catch (error) {
          return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
        }
      },
      ...(jsonSchema && { jsonSchema: { input: () => jsonSchema, output: () => jsonSchema } }),
    },
  };
}

export const anyNumber = schemaOf(
  (value): number => {
    if (typeof value !== 'number') throw new Error('expected a number');
    return value;
  },
  { type: 'number' },
);

export const anyBoolean = schemaOf((value): boolean => {
  if (typeof value !== 'boolean') throw new Error('expected yes or no');
  return value;
});

export const anyText = schemaOf((value): string => {
  if (typeof value !== 'string') throw new Error('expected a text');
  return value;
});

/** An object with a text and a number; the answer comes later. */
export const order: StandardSchema<{ item: string; count: number }> & { toJSONSchema(): JsonObject } = {
  '~standard': {
    version: 1,
    vendor: 'parley-test',
    async validate(value) {
      const { item, count } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
      const issues = [
        ...(typeof item === 'string' ? [] : [{ message: 'expected a text', path: ['item'] }]),
        ...(typeof count === 'number' ? [] : [{ message: 'expected a number', path: [{ key: 'count' }] }]),
      ];
      return issues.length > 0 ? { issues } : { value: { item: item as string, count: count as number } };
    },
  },
  toJSONSchema: () => ({ type: 'object', properties: { item: { type: 'string' }, count: { type: 'number' } } }),
};
