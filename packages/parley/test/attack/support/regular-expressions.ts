import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface FoundExpression {
  /** Below the sources. */
  readonly file: string;
  readonly expression: RegExp;
}

const SOURCES = join(import.meta.dirname, '../../../src');

/** Every regular expression that is written in the sources. */
export function expressionsInSources(): readonly FoundExpression[] {
  return globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    return expressionsIn(parseAst(source, { lang: 'ts' })).map((expression) => ({ file, expression }));
  });
}

/** The places where one is made from a text, which no search finds. */
export function madeExpressions(): readonly string[] {
  return globSync('**/*.ts', { cwd: SOURCES }).filter((file) =>
    /\bRegExp\(/.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
}

function expressionsIn(node: unknown): readonly RegExp[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(expressionsIn);
  const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
  if (regex) return [new RegExp(regex.pattern, regex.flags)];
  return Object.values(node).flatMap(expressionsIn);
}

/** Single characters of each kind that expressions tell apart. */
const KINDS = [
  'a',
  'A',
  '0',
  ' ',
  '\n',
  '\t',
  '/',
  '.',
  '-',
  '_',
  '"',
  "'",
  '\\',
  '%',
  '=',
  ';',
  ':',
  ',',
  '*',
  '`',
  '[',
  '(',
  '<',
  '{',
  '|',
  '#',
  '!',
  '\u001b',
  '\u202e',
  'ä',
  '😀',
];
/** Ends that let a match fail only after everything before it fitted. */
const ENDS = ['', '\u0000', '!', '\n', 'a', '/'];

/** Texts that make expressions backtrack: one or two characters of the expression again and again, and an end that fits or not. */
export function attacksOn({ source }: RegExp): readonly ((length: number) => string)[] {
  const written = [...new Set(source.replace(/\\[a-zA-Z]|[\\^$()[\]{}|?*+]/g, ''))].slice(0, 12);
  const single = [...new Set([...KINDS, ...written])];
  const pairs = written.flatMap((one) => ['a', '0', ' '].map((other) => one + other));
  const pumps = [...single, ...pairs];
  const begins = ['', ...written.slice(0, 4)];
  return pumps.flatMap((pump) =>
    ENDS.map((end, index) => (length: number) => {
      const begin = begins[index % begins.length] ?? '';
      return `${begin}${pump.repeat(Math.ceil(length / pump.length)).slice(0, length)}${end}`;
    }),
  );
}
