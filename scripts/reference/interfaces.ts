import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const SOURCES: string = join(import.meta.dirname, '../../packages/parley/src');

/** A member of an interface as its source has it. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** Its comment as one line; empty where it has none. */
  readonly comment: string;
}

/** An exported interface of the sources. */
export interface Interface {
  /** Below the sources. */
  readonly file: string;
  readonly name: string;
  readonly comment: string;
  /** The types that it extends: `CallOptions`, `Omit<SendOptions, 'skill'>`. */
  readonly bases: readonly string[];
  readonly members: readonly Member[];
}

const COMMENT = String.raw`(?:^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?`;
const DECLARATION = String.raw`^export interface (\w+)(?:<[^{]*?>)?\s*(?:extends ([^{]+?))?\s*\{(?:\n([\s\S]*?)^)?\}`;
const INTERFACES = new RegExp(COMMENT + DECLARATION, 'gm');

/** The exported interfaces of the sources. Names may stand in several files. */
export function readInterfaces(): readonly Interface[] {
  return globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    return [...source.matchAll(INTERFACES)].map(([, comment = '', name = '', bases = '', body = '']) => ({
      file,
      name,
      comment: lineOf(comment),
      bases: partsOf(bases),
      members: membersOf(body),
    }));
  });
}

/** The names that each type alias of the sources mentions, by the name of the alias. */
export function readAliases(): ReadonlyMap<string, readonly string[]> {
  const aliases = globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    return [...source.matchAll(/^export type (\w+)(?:<[^=]*>)? =([\s\S]*?);$/gm)].map(
      ([, name = '', text = '']) => [name, [...text.matchAll(/\w+/g)].map(([word]) => word)] as const,
    );
  });
  return new Map(aliases);
}

/** Reads the members of a body, whatever brackets their types have. */
function membersOf(body: string): readonly Member[] {
  return statementsOf(body).flatMap((statement) => {
    const [, comment = '', text = ''] = /^\s*(?:\/\*\*([\s\S]*?)\*\/)?\s*([\s\S]*)$/.exec(statement) ?? [];
    const property = /^(?:readonly )?(\w+)(\??):\s([\s\S]+)$/.exec(text);
    const method = /^(\w+)(\??)(?:<[^(]*>)?(\([\s\S]+)$/.exec(text);
    const [, name, mark, type = ''] = property ?? method ?? [];
    // A member that must not be set is there for the compiler alone.
    if (name === undefined || type === 'undefined') return [];
    const plain = type
      .replace(/^\|\s*/, '')
      .replaceAll(/\s+/g, ' ')
      .replace(/ \| undefined$/, '');
    return [{ name, type: plain, isOptional: mark === '?', comment: lineOf(comment) }];
  });
}

/** Splits a body at the semicolons that end members. Comments belong to the member after them. */
function statementsOf(body: string): readonly string[] {
  const statements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < body.length; index += 1) {
    if (body.startsWith('/*', index)) index = body.indexOf('*/', index) + 1;
    else if ('{(['.includes(body[index] ?? '')) depth += 1;
    else if ('})]'.includes(body[index] ?? '')) depth -= 1;
    else if (body[index] === ';' && depth === 0) {
      statements.push(body.slice(start, index));
      start = index + 1;
    }
  }
  return statements;
}

/** `A, Omit<B, 'x'>` */
function partsOf(list: string): readonly string[] {
  return [...list.replaceAll(/\s+/g, ' ').matchAll(/\w+(?:<(?:[^<>]|<[^<>]*>)*>)?/g)].map(([part]) => part);
}

/** A comment without its frame, on one line, without what follows an `@` tag. */
function lineOf(comment: string): string {
  const text = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.replace(/ ?@(?:example|typeParam).*$/, '');
}

/** The interface that a file means by a name: its own, or the one that it imports. */
export function findInterface(all: readonly Interface[], from: string, name: string): Interface | undefined {
  const own = all.find((one) => one.file === from && one.name === name);
  if (own) return own;
  const source = readFileSync(join(SOURCES, from), 'utf8');
  for (const [, names = '', path = ''] of source.matchAll(
    /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm,
  )) {
    if (!names.split(',').some((one) => one.trim().replace(/^type /, '') === name)) continue;
    return findInterface(all, relative(SOURCES, join(SOURCES, dirname(from), path)), name);
  }
  return undefined;
}

/** A type that another one extends, whole or in part. */
export interface Base {
  readonly one: Interface;
  readonly how: 'Omit' | 'Pick' | 'Partial' | undefined;
  /** The members that `Omit` and `Pick` name. */
  readonly keys: readonly string[];
}

/** The bases of an interface that are in the sources. */
export function basesOf(all: readonly Interface[], { file, bases }: Interface): readonly Base[] {
  return bases.flatMap((base) => {
    const [, how, name = base.replace(/<.*$/, ''), rest = ''] = /^(Omit|Pick|Partial)<(\w+)(.*)>$/.exec(base) ?? [];
    const one = findInterface(all, file, name);
    const keys = [...rest.matchAll(/'(\w+)'/g)].map(([, key = '']) => key);
    return one ? [{ one, how: how as Base['how'], keys }] : [];
  });
}

/** All members that an object of this type may have, those of its bases first; without those of bases that are `elsewhere`. */
export function allMembersOf(
  all: readonly Interface[],
  one: Interface,
  elsewhere: (base: Interface) => boolean = () => false,
): readonly Member[] {
  const members = new Map<string, Member>();
  for (const { one: base, how, keys } of basesOf(all, one)) {
    if (elsewhere(base)) continue;
    for (const member of allMembersOf(all, base, elsewhere)) {
      if (how === 'Omit' ? keys.includes(member.name) : how === 'Pick' && !keys.includes(member.name)) continue;
      members.set(member.name, how === 'Partial' ? { ...member, isOptional: true } : member);
    }
  }
  for (const member of one.members) members.set(member.name, member);
  return [...members.values()];
}
