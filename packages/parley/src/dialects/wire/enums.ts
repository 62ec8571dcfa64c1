/** An enum as the wire writes it, ready for reading. */
export interface WireEnum<Value extends string> {
  /** By full name and by number, as ProtoJSON readers take both. */
  readonly values: ReadonlyMap<unknown, Value>;
  /** The name of number 0, which stands for "not given". */
  readonly unspecified: string;
  readonly expectation: string;
}

/** `names` lists the model's values in the order of their proto numbers, which begin at 1. */
export function wireEnum<Value extends string>(
  unspecified: string,
  names: Readonly<Record<Value, string>>,
): WireEnum<Value> {
  const values = new Map<unknown, Value>();
  const pairs = Object.entries(names) as [Value, string][];
  for (const [index, [value, name]] of pairs.entries()) {
    values.set(name, value);
    values.set(index + 1, value);
  }
  return { values, unspecified, expectation: `must be one of ${Object.values(names).join(', ')}` };
}
