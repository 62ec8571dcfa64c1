import { isPlainObject } from '../basics/json.ts';
import { nearest } from './nearest.ts';

/**
 * What is wrong with the value of an option, e.g. `port must be …, not "x"`; undefined where nothing is. `name` is the
 * path of the option. A value that is left out is not looked at.
 */
export type Check = (value: unknown, name: string) => string | undefined;

/** The checks of all options of a type; the compiler holds that none is missing. */
export type Checks<Options> = { readonly [Name in keyof Options]-?: Check };

/** The sentence about a name that is known elsewhere: an old one, or one of another place. */
export type Advice = (name: string) => string | undefined;

/** The most of a name or a value that an error repeats. */
const SHOWN = 64;

/**
 * Throws a TypeError for options that are no object, that have a member which nobody would read, or a wrong value. `of`:
 * what takes the options, such as `sqlite`; an empty one for those of a server.
 */
export function checkOptions<Options>(of: string, given: unknown, checks: Checks<Options>, advice?: Advice): void {
  requireRight(of, members(checks, advice)(given, ''));
}

/** Throws a TypeError where something is wrong. */
export function requireRight(of: string, wrong: string | undefined): void {
  if (wrong === undefined) return;
  throw new TypeError(of === '' ? wrong.replace(/^the(?=(re is no)? option )/, 'The') : `${of}: ${wrong}`);
}

/** The sentence about the first member that there is not. A member without a value may be there. */
export function unknownMember(
  place: string,
  given: object,
  known: readonly string[],
  advice?: Advice,
): string | undefined {
  for (const [member, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(member)) return sentenceOn(place, member, known, advice);
  }
  return undefined;
}

function sentenceOn(place: string, member: string, known: readonly string[], advice?: Advice): string {
  const within = place === '' ? '' : `${place}.`;
  const name = `${within}${member}`.slice(0, SHOWN + within.length);
  const meant = nearest(member.slice(0, SHOWN), known);
  const there = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${within}${meant}?`;
  return advice?.(name) ?? `there is no option ${name}; ${there}`;
}

/** An object with options of its own. */
export function members<Options>(checks: Checks<Options>, advice?: Advice): Check {
  const table: Readonly<Record<string, Check>> = checks;
  const names = Object.keys(table);
  return (value, name) => {
    if (!isPlainObject(value)) {
      return `${name || 'the options'} must be an object with ${names.join(', ')}, not ${shown(value)}`;
    }
    return unknownMember(name, value, names, advice) ?? wrongMember(table, value, name);
  };
}

/** An object of which some members are looked at, and the others elsewhere. */
export function values<Options>(checks: Checks<Options>): Check {
  return (value, name) => (isPlainObject(value) ? wrongMember(checks, value, name) : object(value, name));
}

/** Members of what may also be made by a class, whose other members are its own affair. */
export function literalMembers<Options>(checks: Checks<Options>): Check {
  const whole = members(checks);
  return (value, name) =>
    isPlainObject(value) && !isLiteral(value) ? wrongMember(checks, value, name) : whole(value, name);
}

function wrongMember(
  table: Readonly<Record<string, Check>>,
  value: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const [member, check] of Object.entries(table)) {
    const one = value[member];
    const wrong = one === undefined ? undefined : check(one, name === '' ? member : `${name}.${member}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** A value that a function accepts; `what` says in words what that is. */
export function takes(what: string, accepts: (value: unknown) => boolean): Check {
  return (value, name) => (accepts(value) ? undefined : `${name} must be ${what}, not ${shown(value)}`);
}

/** The same for a value that may be a secret, or have one in it: the error does not repeat it. */
export function takesUnseen(what: string, accepts: (value: unknown) => boolean): Check {
  return (value, name) => (accepts(value) ? undefined : `${name} must be ${what}, not ${kindOf(value)}`);
}

export function oneOf(...words: readonly string[]): Check {
  const last = words.length - 1;
  const what = last < 1 ? words.join('') : `${words.slice(0, last).join(', ')} or ${words[last]}`;
  return takes(what, (value) => words.includes(value as string));
}

export function listOf(check: Check, what = 'a list'): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} must be ${what}, not ${shown(value)}`;
    for (const [index, item] of value.entries()) {
      const wrong = check(item, `${name}[${index}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** The check, or one of the values that stand for a setting as a whole, such as `false`. */
export function orElse(check: Check, ...values: readonly unknown[]): Check {
  return (value, name) => (values.includes(value) ? undefined : check(value, name));
}

/** What is checked where it is used. */
export const anything: Check = () => undefined;
export const flag: Check = takes('true or false', (value) => typeof value === 'boolean');
export const text: Check = takes('a string', (value) => typeof value === 'string');
export const filled: Check = takes('a string that is not empty', (value) => typeof value === 'string' && value !== '');
export const texts: Check = listOf(text, 'a list of strings');
export const called: Check = takes('a function', (value) => typeof value === 'function');
export const object: Check = takes('an object', isPlainObject);
export const duration: Check = takes(
  'a number of milliseconds that is not negative',
  (value) => typeof value === 'number' && value >= 0,
);
export const httpUrl: Check = takes('an absolute URL of http or https, such as https://agents.example.com', isHttpUrl);

/** A whole number of at least so much. */
export function countFrom(least: number): Check {
  const what = least === 0 ? 'a whole number that is not negative' : `a whole number of at least ${least}`;
  return takes(what, (value) => Number.isInteger(value) && (value as number) >= least);
}

/** An object of a type that has functions, such as a store: those that are named must be there. */
export function having(what: string, ...methods: readonly string[]): Check {
  return takesUnseen(what, (value) => {
    const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return isThing && methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function');
  });
}

export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
}

/** True for objects that are written as such, and not made by a class, whose members are its own affair. */
export function isLiteral(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value as an error shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN));
  if (typeof value === 'bigint') return `${value}n`.slice(0, SHOWN);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

/** What a value is, and nothing of what it says. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value instanceof Promise) return 'a Promise: await it first';
  const kind = typeof value === 'object' && !isLiteral(value) ? className(value) : typeof value;
  return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function className(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name.slice(0, SHOWN) : 'object';
}
