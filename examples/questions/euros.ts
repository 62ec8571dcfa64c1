import type { StandardSchema } from 'parley-a2a';

/** An amount with at most two decimals. With Zod it would be `z.number().positive().multipleOf(0.01)`. */
export const euros: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'parley-examples',
    validate(value) {
      if (typeof value !== 'number') return { issues: [{ message: 'must be a number' }] };
      if (value <= 0 || Math.round(value * 100) !== value * 100) return { issues: [{ message: 'is no amount' }] };
      return { value };
    },
  },
};
