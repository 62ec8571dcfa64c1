/** An enum as the wire writes it, ready for reading. */
export interface WireEnum<Value extends string> {
  /** By full name and by number, as ProtoJSON readers take both. */
  readonly values: ReadonlyMap<unknown, Value>;
  /** The name of number 0, which stands for "not given" in requests. */
  readonly unspecified?: string;
  readonly expectation: string;
  /** The value for any other name or number in responses of peers; absent where such a name is refused. */
  readonly otherwise?: Value | undefined;
}

/** `names` lists the model's values in the order of their proto numbers, which begin at 1. */
export function wireEnum<Value extends string>(names: Readonly<Record<Value, string>>): WireEnum<Value> {
  const values = new Map<unknown, Value>();
  const pairs = Object.entries(names) as [Value, string][];
  for (const [index, [value, name]] of pairs.entries()) {
    values.set(name, value);
    values.set(index + 1, value);
  }
  return { values, expectation: `must be one of ${Object.values(names).join(', ')}` };
}

/** The same enum for requests, where a name stands for "not given". A function, so that bundles of clients can drop it. */
export function withUnspecified<Value extends string>(names: WireEnum<Value>, unspecified: string): WireEnum<Value> {
  return { ...names, unspecified };
}

/** An enum whose wire names are the model's values, and that has no numbers. */
export function plainEnum<Value extends string>(names: readonly Value[]): WireEnum<Value> {
  const values = new Map<unknown, Value>(names.map((name) => [name, name]));
  return { values, expectation: `must be one of ${names.join(', ')}` };
}

/** The same enum, with more names that are read and never written. */
export function withAliases<Value extends string>(
  names: WireEnum<Value>,
  aliases: readonly (readonly [unknown, Value])[],
): WireEnum<Value> {
  return { ...names, values: new Map([...names.values, ...aliases]) };
}
