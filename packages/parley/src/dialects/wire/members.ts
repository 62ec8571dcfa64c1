import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import type { FieldViolation } from '../../model/errors/errors.ts';
import { Violations } from './errors/violations.ts';
import { type SecondName, SNAKE, toSnakeCase } from './snake-case.ts';
import { normalizeBase64 } from './values/base64.ts';
import type { WireEnum } from './values/enums.ts';

/** The limit of a text in a request: that of an id, that of a longer field, or none, for what a part carries. */
export type TextBound = 'idLength' | 'fieldLength' | 'content';

/** The limit of a list of texts in a request. */
export type ListBound = 'references' | 'listLength';

/** Makes a model value of one wire object. */
export type Read<Value> = (members: Members) => Value;

/** A member of a oneof. `nullable`: it is set even where it is `null`, as only a protobuf `Value` is. */
export interface OneofMember<Name extends string> {
  readonly name: Name;
  readonly snakeName?: SecondName | undefined;
  readonly nullable?: boolean;
}

/**
 * Reads a whole wire value; throws INVALID_PARAMS with every member that is wrong. Nothing (`undefined`, `null`) is
 * an object without members.
 */
export function decode<Value>(value: unknown, read: Read<Value>, rootName = 'params', open = openMembers): Value {
  const violations = new Violations();
  const isObject = isPlainObject(value);
  if (!isObject && value !== undefined && value !== null) {
    violations.add(rootName, 'must be an object');
    violations.throwIfAny();
  }
  const result = read(open(isObject ? value : {}, violations, rootName));
  violations.throwIfAny();
  return result;
}

/** The same for what must not be thrown away because a part of it is wrong: that part is left out. */
export function decodeLeniently<Value>(
  value: Readonly<Record<string, unknown>>,
  read: Read<Value>,
  rootName: string,
): { readonly result: Value; readonly violations: readonly FieldViolation[] } {
  const violations = new Violations(false);
  return { result: read(openMembers(value, violations, rootName)), violations: violations.list };
}

function openMembers(record: Readonly<Record<string, unknown>>, violations: Violations, rootName: string): Members {
  return new Members(record, violations, undefined, rootName);
}

/**
 * The members of one wire object, by type. Each is looked up by its camelCase name and, where one is given, by its
 * snake_case proto name; camelCase wins, and `null` is unset. What is wrong is collected under its path, and the
 * caller gets a stand-in of the right type: `decode` throws before it can get out.
 *
 * Paths are put together only for violations, so that a valid value costs one small object for each wire object.
 */
export class Members {
  readonly #record: Readonly<Record<string, unknown>>;
  protected readonly violations: Violations;
  readonly #parent: Members | undefined;
  readonly #ownName: string;
  readonly #index: number | undefined;

  constructor(
    record: Readonly<Record<string, unknown>>,
    violations: Violations,
    parent: Members | undefined,
    ownName: string,
    index?: number,
  ) {
    this.#record = record;
    this.violations = violations;
    this.#parent = parent;
    this.#ownName = ownName;
    this.#index = index;
  }

  /** The members of an object inside of this one. */
  protected child(record: Readonly<Record<string, unknown>>, name: string, index?: number): Members {
    return new Members(record, this.violations, this, name, index);
  }

  /** The member as it was parsed; undefined where it is unset. */
  value(name: string, snakeName?: SecondName): unknown {
    const value = this.#record[name];
    if (value !== undefined && value !== null) return value;
    if (snakeName === undefined) return undefined;
    return this.#record[snakeName === SNAKE ? toSnakeCase(name) : snakeName] ?? undefined;
  }

  /** A text with presence: '' is a value. Only requests have bounds. */
  string(name: string, snakeName?: SecondName, _bound?: TextBound): string | undefined {
    const value = this.value(name, snakeName);
    if (value === undefined || typeof value === 'string') return value;
    this.reject(name, 'must be a string');
    return undefined;
  }

  /** A text without presence: '' is unset. */
  text(name: string, snakeName?: SecondName, bound?: TextBound): string | undefined {
    return this.string(name, snakeName, bound) || undefined;
  }

  requiredText(name: string, snakeName?: SecondName, _bound?: TextBound): string {
    const value = this.value(name, snakeName);
    if (typeof value === 'string' && value !== '') return value;
    this.reject(name, value === undefined ? REQUIRED : value === '' ? NOT_EMPTY : 'must be a string');
    return '';
  }

  /** A list of texts; undefined where it is unset or empty. */
  texts(name: string, snakeName?: SecondName, _bound?: ListBound): readonly string[] | undefined {
    const texts = this.#array(name, snakeName)?.filter((value, index): value is string => {
      const isText = typeof value === 'string';
      if (!isText) this.reject(`${name}[${index}]`, 'must be a string');
      return isText;
    });
    return texts?.length ? texts : undefined;
  }

  flag(name: string, snakeName?: SecondName): boolean {
    const value = this.value(name, snakeName);
    if (typeof value === 'boolean') return value;
    if (value !== undefined) this.reject(name, 'must be true or false');
    return false;
  }

  requiredEnum<Value extends string>(
    names: WireEnum<Value>,
    fallback: Value,
    name: string,
    snakeName?: SecondName,
  ): Value {
    const value = this.value(name, snakeName);
    const isName = typeof value === 'string' || typeof value === 'number';
    const known = names.values.get(value) ?? (isName ? names.otherwise : undefined);
    if (known !== undefined) return known;
    this.reject(name, value === undefined ? REQUIRED : names.expectation);
    return fallback;
  }

  /** Bytes as padded standard base64. */
  base64(name: string, snakeName?: SecondName): string {
    const value = this.value(name, snakeName);
    const bytes = typeof value === 'string' ? normalizeBase64(value) : undefined;
    if (bytes !== undefined) return bytes;
    this.reject(name, value === undefined ? REQUIRED : 'must be base64 text');
    return '';
  }

  /** A JSON object of the sender's own, passed on as it was parsed. */
  struct(name: string, snakeName?: SecondName): JsonObject | undefined {
    const value = this.value(name, snakeName);
    if (value === undefined || isPlainObject(value)) return value as JsonObject | undefined;
    this.reject(name, 'must be an object');
    return undefined;
  }

  /** Any JSON value, `null` included, passed on as it was parsed. */
  json(name: string): JsonValue {
    const value = this.#record[name] ?? null;
    return value as JsonValue;
  }

  object<Value>(name: string, snakeName: SecondName | undefined, read: Read<Value>): Value | undefined {
    const value = this.struct(name, snakeName);
    return value && read(this.child(value, name));
  }

  /** @param standIn needed where the caller looks into the value itself */
  requiredObject<Value>(name: string, snakeName: SecondName | undefined, read: Read<Value>, standIn?: Value): Value {
    if (this.value(name, snakeName) === undefined) this.reject(name, REQUIRED);
    return this.object(name, snakeName, read) ?? (standIn as Value);
  }

  /** A list of objects; empty where it is unset. */
  list<Value>(name: string, snakeName: SecondName | undefined, read: Read<Value>): readonly Value[] {
    const values = this.#array(name, snakeName);
    if (values === undefined) return [];
    const results: Value[] = [];
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (isPlainObject(value)) results.push(read(this.child(value, name, index)));
      else this.reject(`${name}[${index}]`, 'must be an object');
    }
    return results;
  }

  /** An object whose members have names of the sender's own; undefined where it is unset or empty. */
  map<Value>(
    name: string,
    snakeName: SecondName | undefined,
    read: Read<Value | undefined>,
  ): Readonly<Record<string, Value>> | undefined {
    const record = this.object(name, snakeName, (members) => members.entries(read));
    return record && Object.keys(record).length > 0 ? record : undefined;
  }

  /** All members as objects, those left out for which nothing is read. */
  entries<Value>(read: Read<Value | undefined>): Readonly<Record<string, Value>> {
    const found: [string, Value][] = [];
    for (const name of Object.keys(this.#record)) {
      const value = this.object(name, undefined, read);
      if (value !== undefined) found.push([name, value]);
    }
    return Object.fromEntries(found);
  }

  /** True where any of these members is set. */
  has(...names: readonly string[]): boolean {
    return names.some((name) => this.value(name) !== undefined);
  }

  /** The names of all members. */
  names(): readonly string[] {
    return Object.keys(this.#record);
  }

  /** The name of the one member that is set; none and two are violations of the object. */
  oneof<Name extends string>(choices: readonly OneofMember<Name>[]): Name | undefined {
    let chosen: Name | undefined;
    let count = 0;
    for (const { name, snakeName, nullable } of choices) {
      const set = nullable ? this.#record[name] !== undefined : this.value(name, snakeName) !== undefined;
      if (!set) continue;
      chosen = name;
      count += 1;
    }
    if (count === 1) return chosen;
    this.violations.add(
      this.path() || this.#ownName,
      `must have exactly one of ${choices.map(({ name }) => name).join(', ')}`,
    );
    return undefined;
  }

  #array(name: string, snakeName: SecondName | undefined): readonly unknown[] | undefined {
    const value = this.value(name, snakeName);
    if (value === undefined || Array.isArray(value)) return value;
    this.reject(name, 'must be an array');
    return undefined;
  }

  /** A member that is wrong in a way that only its dialect knows. */
  reject(name: string, description: string): void {
    this.violations.add(this.path(name), description);
  }

  /** The path of a member, or of the object itself. */
  protected path(member?: string): string {
    const own = this.#index === undefined ? this.#ownName : `${this.#ownName}[${this.#index}]`;
    return [this.#parent?.path(own), member].filter(Boolean).join('.');
  }
}

export const REQUIRED = 'is required';
export const NOT_EMPTY = 'must not be empty';
