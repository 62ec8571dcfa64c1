import type { Schema } from './forms.ts';
import { changed, nameOf, type Place, valueAt } from './json.ts';

/** Parameters with one member that is wrong. */
export interface WrongMember {
  readonly field: string;
  readonly value: unknown;
  readonly params: unknown;
}

const NUMBERS = [5, -1.5];
const FLAGS = [true];
const LISTS = [[], ['x'], [1]];
const OBJECTS = [{}, { value: 'x' }];
const TEXTS = ['x', ''];

/** For each scalar type all that is not of it; null is left out, since it means that a member is unset. */
const WRONG_SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  string: [...NUMBERS, ...FLAGS, ...LISTS, ...OBJECTS],
  bool: [...TEXTS, 'true', 0, 1, ...LISTS, ...OBJECTS],
  int32: [...TEXTS, '1.5', '0x1', '1e2', ' 1', 1.5, -1, 2 ** 31, 1e300, '9'.repeat(40), ...FLAGS, ...LISTS, ...OBJECTS],
  bytes: ['*', 'a', 'aG=k', 'aGk= ', ...NUMBERS, ...FLAGS, ...LISTS, ...OBJECTS],
  Timestamp: [
    ...TEXTS,
    '2026-01-05',
    '2026-02-30T10:15:00Z',
    '2026-01-05T10:15:00+01:00',
    ...NUMBERS,
    ...FLAGS,
    ...LISTS,
    ...OBJECTS,
  ],
  Struct: [...TEXTS, ...NUMBERS, ...FLAGS, ...LISTS],
  Value: [],
};

const WRONG_ENUMS = ['x', 'TASK_STATE_DONE', 'ROLE_USER ', '__proto__', 99, -1, 1.5, ...FLAGS, ...LISTS, ...OBJECTS];
const WRONG_OBJECTS = [...TEXTS, ...NUMBERS, ...FLAGS, ...LISTS];
const WRONG_LISTS = [...TEXTS, ...NUMBERS, ...FLAGS, ...OBJECTS];

const MEMBER = /^(?<type>\w+)(?<required>!?)(?<shape>\[\]|)(?:@\w+)?$/;

/** For every member that the right parameters have: the parameters with each wrong value in its place. */
export function wrongMembers(schema: Schema, type: string, right: unknown, at: Place = []): WrongMember[] {
  const wrong = (place: Place, values: readonly unknown[]): WrongMember[] =>
    values.map((value) => ({ field: nameOf(place), value, params: changed(right, place, value) }));
  const ofType = (name: string, place: Place): WrongMember[] => [
    ...wrong(place, wrongValues(schema, name)),
    ...(schema.types[name] ? wrongMembers(schema, name, right, place) : []),
  ];
  const members = Object.entries(schema.types[type] ?? {});
  return members.flatMap(([name, definition]) => {
    const { type: memberType = '', required, shape } = MEMBER.exec(definition)?.groups ?? {};
    const place = [...at, name];
    const value = valueAt(right, place);
    if (value === undefined) return [];
    if (shape === '[]') {
      const items = Array.isArray(value) ? value : [];
      return [
        ...wrong(place, required ? [...WRONG_LISTS, [], null] : WRONG_LISTS),
        ...items.flatMap((_, index) => [...wrong([...place, index], [null]), ...ofType(memberType, [...place, index])]),
      ];
    }
    const unset = required ? (memberType === 'string' ? [null, ''] : [null]) : [];
    return [...wrong(place, unset), ...ofType(memberType, place)];
  });
}

function wrongValues(schema: Schema, type: string): readonly unknown[] {
  if (schema.types[type]) return WRONG_OBJECTS;
  if (schema.enums[type]) return WRONG_ENUMS;
  const values = WRONG_SCALARS[type];
  if (!values) throw new Error(`no type ${type}`);
  return values;
}

/** Texts that are wrong for a type in a query, where everything is a text. */
const WRONG_TEXTS: Readonly<Record<string, readonly string[]>> = {
  int32: ['x', '', ' ', '-1', '1.5', '1e2', '0x1', '2147483648', '9'.repeat(40), 'NaN', 'null', '[1]', '1,2'],
  bool: ['x', '', 'yes', '1', 'TRUE', 'null'],
  Timestamp: ['x', '', '5', '2026-01-05', '2026-02-30T10:15:00Z', '2026-01-05T10:15:00+01:00'],
};

export function wrongQueryTexts(schema: Schema, type: string): readonly string[] {
  return schema.enums[type] ? ['x', '', 'working', '99', '__proto__'] : (WRONG_TEXTS[type] ?? []);
}
