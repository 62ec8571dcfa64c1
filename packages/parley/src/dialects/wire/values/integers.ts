export const INT32_MIN = -(2 ** 31);
export const INT32_MAX = 2 ** 31 - 1;

const DECIMAL = /^-?\d+$/;

/** A whole number, or its decimal digits in a string, as ProtoJSON readers take both; undefined for anything else. */
export function parseInteger(value: unknown): number | undefined {
  if (typeof value === 'string') return DECIMAL.test(value) ? Number(value) + 0 : undefined;
  // Adding 0 makes -0 plain.
  return Number.isInteger(value) ? (value as number) + 0 : undefined;
}
