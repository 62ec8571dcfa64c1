import { ENUMS_V1, MAY_BE_EMPTY, SCHEMA_V1 } from './schema-v1.ts';

/**
 * Checks a JSON value against the closed schema of A2A 1.0, as strict validators do: members outside the schema,
 * missing REQUIRED ones, wrong types, `null`, and oneofs with none or two members are violations. Returns one line
 * for each, beginning with the path; `[]` is a valid value. The value is checked as its JSON text would be read.
 */
export function violationsOfV1(type: string, value: unknown): string[] {
  const violations: string[] = [];
  const text = JSON.stringify(value);
  if (text === undefined) return [`${type} cannot be written as JSON`];
  checkType(type, JSON.parse(text), type, violations);
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

function checkType(type: string, value: unknown, path: string, violations: string[]): void {
  const scalar = SCALARS[type];
  if (scalar !== undefined) {
    if (!scalar(value)) violations.push(`${path} is not ${type}: ${JSON.stringify(value)}`);
    return;
  }
  const names = ENUMS_V1[type];
  if (names !== undefined) {
    if (!names.includes(value as string)) violations.push(`${path} is not ${type}: ${JSON.stringify(value)}`);
    return;
  }
  const members = SCHEMA_V1[type];
  if (members === undefined) throw new Error(`no type ${type} in the schema`);
  if (!isObject(value)) {
    violations.push(`${path} is not an object`);
    return;
  }
  checkMembers(type, members, value, path, violations);
}

function checkMembers(
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
    const mayBeEmpty = required !== '!' || MAY_BE_EMPTY.has(`${type}.${name}`);
    checkShape(memberType, shape, mayBeEmpty, value[name], `${path}.${name}`, violations);
  }
  for (const [oneof, count] of oneofs) {
    if (count !== 1) violations.push(`${path} has ${count} members of the oneof ${oneof}`);
  }
}

function checkShape(
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
    for (const [index, item] of value.entries()) checkType(type, item, `${path}[${index}]`, violations);
  } else if (shape === '{}') {
    if (!isObject(value)) {
      violations.push(`${path} is not an object`);
      return;
    }
    for (const [key, item] of Object.entries(value)) checkType(type, item, `${path}.${key}`, violations);
  } else {
    checkType(type, value, path, violations);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
