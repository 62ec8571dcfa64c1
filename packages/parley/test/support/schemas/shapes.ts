import type { JsonObject } from 'parley-a2a';

type Issue = { readonly message: string; readonly path: readonly (string | number)[] };
type Read<Value> = (value: unknown, path: readonly (string | number)[], issues: Issue[]) => Value;

/** A schema of a very small library, as the real ones are made: it checks, it makes defaults, and it knows its types. */
export interface Shape<Input, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'shapes';
    readonly validate: (value: unknown) => { readonly value: Output } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: { readonly input: () => JsonObject; readonly output: () => JsonObject };
  };
  readonly read: Read<Output>;
  readonly described: JsonObject;
  readonly isOptional?: boolean;
}

function shape<Input, Output = Input>(
  described: JsonObject,
  read: Read<Output>,
  isOptional = false,
): Shape<Input, Output> {
  const describe = () => described;
  return {
    read,
    described,
    isOptional,
    '~standard': {
      version: 1,
      vendor: 'shapes',
      validate(value) {
        const issues: Issue[] = [];
        const result = read(value, [], issues);
        return issues.length > 0 ? { issues } : { value: result };
      },
      jsonSchema: { input: describe, output: describe },
    },
  };
}

export const string: Shape<string> = shape({ type: 'string' }, (value, path, issues) => {
  if (typeof value !== 'string') issues.push({ message: 'must be a string', path });
  return value as string;
});

export const number: Shape<number> = shape({ type: 'number' }, (value, path, issues) => {
  if (typeof value !== 'number') issues.push({ message: 'must be a number', path });
  return value as number;
});

export function list<Input, Output>(of: Shape<Input, Output>): Shape<Input[], Output[]> {
  return shape({ type: 'array', items: of.described }, (value, path, issues) => {
    if (Array.isArray(value)) return value.map((item, index) => of.read(item, [...path, index], issues));
    issues.push({ message: 'must be a list', path });
    return [];
  });
}

/** Takes the default where there is nothing. */
export function optional<Input, Output>(of: Shape<Input, Output>, fallback: Output): Shape<Input | undefined, Output> {
  return shape(
    of.described,
    (value, path, issues) => (value === undefined ? fallback : of.read(value, path, issues)),
    true,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: any member will do, and its own types are kept
type Members = Readonly<Record<string, Shape<any, any>>>;
type TypesOf<Member extends Members[string]> = NonNullable<Member['~standard']['types']>;
type OptionalKeys<M extends Members> = {
  [Key in keyof M]: undefined extends TypesOf<M[Key]>['input'] ? Key : never;
}[keyof M];
type InputOf<M extends Members> = {
  [Key in Exclude<keyof M, OptionalKeys<M>>]: TypesOf<M[Key]>['input'];
} & { [Key in OptionalKeys<M>]?: TypesOf<M[Key]>['input'] };
type OutputOf<M extends Members> = { [Key in keyof M]: TypesOf<M[Key]>['output'] };
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** Members that are not named are left out. */
export function object<M extends Members>(members: M): Shape<Flat<InputOf<M>>, OutputOf<M>> {
  const properties = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.described]));
  const required = Object.keys(members).filter((name) => !members[name]?.isOptional);
  return shape({ type: 'object', properties, required }, (value, path, issues) => {
    const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
    if (!given) issues.push({ message: 'must be an object', path });
    const read = ([name, member]: [string, Members[string]]) => [
      name,
      member.read(given?.[name], [...path, name], issues),
    ];
    return (given ? Object.fromEntries(Object.entries(members).map(read)) : {}) as OutputOf<M>;
  });
}
