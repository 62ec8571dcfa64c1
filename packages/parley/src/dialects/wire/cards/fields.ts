import type { Members } from '../members.ts';
import { SNAKE } from '../snake-case.ts';

/** Reads the member of this name, in camelCase or snake_case. */
type Field<Value> = (members: Members, name: string) => Value;

/** The members of an object of a card, each with its reader. */
type Fields<Value> = { readonly [Name in keyof Value]-?: Field<Value[Name]> };

/** Makes an object of its members. */
export function fieldsOf<Value>(fields: Fields<Value>): (members: Members) => Value {
  return (members) =>
    Object.fromEntries(
      Object.entries<Field<unknown>>(fields).map(([name, read]) => [name, read(members, name)]),
    ) as Value;
}

export const text: Field<string | undefined> = (members, name) => members.text(name, SNAKE);
/** A text that is '' where it is missing. */
export const anyText: Field<string> = (members, name) => text(members, name) ?? '';
export const requiredText: Field<string> = (members, name) => members.requiredText(name, SNAKE);
export const texts: Field<readonly string[] | undefined> = (members, name) => members.texts(name, SNAKE);
/** A list that is empty where it is missing. */
export const anyTexts: Field<readonly string[]> = (members, name) => texts(members, name) ?? [];
export const flag: Field<boolean> = (members, name) => members.flag(name, SNAKE);
/** A flag that is left out where it is not set. */
export const optionalFlag: Field<true | undefined> = (members, name) => flag(members, name) || undefined;
export const struct: Field<ReturnType<Members['struct']>> = (members, name) => members.struct(name, SNAKE);

export function object<Value>(read: (members: Members) => Value): Field<Value | undefined> {
  return (members, name) => members.object(name, SNAKE, read);
}

export function list<Value>(read: (members: Members) => Value): Field<readonly Value[]> {
  return (members, name) => members.list(name, SNAKE, read);
}
