import { ENUMS_V1, MAY_BE_EMPTY, SCHEMA_V1 } from './schema-v1.ts';

/** The types of one version as data; see `schema-v1.ts` for how members are written. */
export interface Schema {
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** Types that are one of several, told apart by the member `kind`. */
  readonly unions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Required lists that may be empty all the same. */
  readonly mayBeEmpty?: ReadonlySet<string>;
}

const V1: Schema = { types: SCHEMA_V1, enums: ENUMS_V1, mayBeEmpty: MAY_BE_EMPTY };

export function violationsOfV1(type: string, value: unknown): string[] {
  return violationsOf(V1, type, value);
}

/**
 * Checks a JSON value against a closed schema, as strict validators do: members outside the schema, missing required
 * ones, wrong types, `null`, and oneofs with none or two members are violations. Returns one line for each, beginning
 * with the path; `[]` is a valid value. The value is checked as its JSON text would be read.
 */
export function violationsOf(schema: Schema, type: string, value: unknown): string[] {
  const violations: string[] = [];
  const text = JSON.stringify(value);
  if (text === undefined) return [`${type} cannot be written as JSON`];
  checkType(schema, type, JSON.parse(text), type, violations);
  return violations;
}

const MEMBER = /^(?<type>\w+)(?<required>!?)(?<shape>\[\]|\{\}|)(?:@(?<oneof>\w+))?$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  int32: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  bytes: (value) => typeof value === 'string' && BASE64.test(value),
  Timestamp: (value) => typeof value === 'string' && TIMESTAMP.test(value),
  Struct: isObject,
  Value: () => true,
};

function checkType(schema: Schema, type: string, value: unknown, path: string, violations: string[]): void {
  const scalar = SCALARS[type];
  if (scalar !== undefined) {
    if (!scalar(value)) violations.push(`${path} is not ${type}: ${JSON.stringify(value)}`);
    return;
  }
  const names = schema.enums[type];
  if (names !== undefined) {
    if (!names.includes(value as string)) violations.push(`${path} is not ${type}: ${JSON.stringify(value)}`);
    return;
  }
  if (!isObject(value)) {
    violations.push(`${path} is not an object`);
    return;
  }
  const variants = schema.unions?.[type];
  const variant = variants === undefined ? type : variants[String(value.kind)];
  if (variant === undefined) {
    violations.push(`${path}.kind is none of ${type}: ${JSON.stringify(value.kind)}`);
    return;
  }
  const members = schema.types[variant];
  if (members === undefined) throw new Error(`no type ${variant} in the schema`);
  checkMembers(schema, variant, members, value, path, violations);
}

function checkMembers(
  schema: Schema,
  type: string,
  members: Readonly<Record<string, string>>,
  value: Readonly<Record<string, unknown>>,
  path: string,
  violations: string[],
): void {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(members, name)) violations.push(`${path}.${name} is not in the schema`);
  }
  const oneofs = new Map<string, number>();
  for (const [name, definition] of Object.entries(members)) {
    const groups = MEMBER.exec(definition)?.groups;
    if (groups === undefined) throw new Error(`${type}.${name}: cannot read "${definition}"`);
    const { type: memberType = '', required, shape = '', oneof } = groups;
    const present = Object.hasOwn(value, name);
    if (oneof !== undefined) oneofs.set(oneof, (oneofs.get(oneof) ?? 0) + (present ? 1 : 0));
    if (!present) {
      if (required === '!') violations.push(`${path}.${name} is missing`);
      continue;
    }
    const mayBeEmpty = required !== '!' || schema.mayBeEmpty?.has(`${type}.${name}`) === true;
    checkShape(schema, memberType, shape, mayBeEmpty, value[name], `${path}.${name}`, violations);
  }
  for (const [oneof, count] of oneofs) {
    if (count !== 1) violations.push(`${path} has ${count} members of the oneof ${oneof}`);
  }
}

function checkShape(
  schema: Schema,
  type: string,
  shape: string,
  mayBeEmpty: boolean,
  value: unknown,
  path: string,
  violations: string[],
): void {
  if (shape === '[]') {
    if (!Array.isArray(value)) {
      violations.push(`${path} is not a list`);
      return;
    }
    if (value.length === 0 && !mayBeEmpty) violations.push(`${path} is empty`);
    for (const [index, item] of value.entries()) checkType(schema, type, item, `${path}[${index}]`, violations);
  } else if (shape === '{}') {
    if (!isObject(value)) {
      violations.push(`${path} is not an object`);
      return;
    }
    for (const [key, item] of Object.entries(value)) checkType(schema, type, item, `${path}.${key}`, violations);
  } else {
    checkType(schema, type, value, path, violations);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
