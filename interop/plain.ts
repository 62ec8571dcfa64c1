/** A JSON object whose members are not known yet. */
export type Plain = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
