import type { StandardSchema } from 'parley-a2a';

const MOST_NIGHTS = 30;

/** A whole number of nights, as a number or as text. With Zod it would be `z.coerce.number().int().min(1).max(30)`. */
export const nightCount: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'parley-examples',
    validate(value) {
      const nights = Number(value);
      const isCount = Number.isInteger(nights) && nights >= 1 && nights <= MOST_NIGHTS;
      return isCount ? { value: nights } : { issues: [{ message: `must be a whole number from 1 to ${MOST_NIGHTS}` }] };
    },
  },
};
