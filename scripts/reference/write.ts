import {
  allMembersOf,
  type Base,
  basesOf,
  type Interface,
  type Member,
  readAliases,
  readInterfaces,
} from './interfaces.ts';
import { REFERENCE_PAGES, type ReferencePage, type Section } from './pages.ts';

/** A member that the reference shows without a sentence. */
export interface Undescribed {
  readonly file: string;
  readonly name: string;
  readonly member: string;
}

export interface Reference {
  /** The pages below `docs/` by their paths. */
  readonly pages: ReadonlyMap<string, string>;
  readonly undescribed: readonly Undescribed[];
}

/** The pages of all options, made from the interfaces of the sources and their comments. */
export function makeReference(): Reference {
  const all = readInterfaces();
  const pages = new Map(REFERENCE_PAGES.map((page) => [page.path, pageOf(all, page)]));
  const undescribed = REFERENCE_PAGES.flatMap(({ sections }) =>
    sections.map((section) => sectionOf(all, section)),
  ).flatMap((one) =>
    allMembersOf(all, one)
      .filter(({ comment }) => meaningOf(comment) === '')
      .map(({ name }) => ({ file: one.file, name: one.name, member: name })),
  );
  return { pages, undescribed };
}

function pageOf(all: readonly Interface[], { title, opening, sections, path }: ReferencePage): string {
  const texts = sections.map((section) => {
    const one = sectionOf(all, section);
    const rows = allMembersOf(all, one, isDocumented)
      .filter(({ comment }) => !comment.startsWith('@deprecated'))
      .map((member) => rowOf(member, path, section));
    const inherited = basesOf(all, one).filter((base) => isDocumented(base.one));
    const own = one.members.map(({ name }) => name);
    const use = [section[1], ...inherited.map((base) => inheritedBy(base, own, path))].join('; ');
    const table = rows.length === 0 ? [] : ['', '| option | default | type and meaning |', '|---|---|---|', ...rows];
    return [`## ${one.name}`, '', `${use}.`, ...(one.comment === '' ? [] : ['', escaped(one.comment)]), ...table].join(
      '\n',
    );
  });
  const note = '<!-- made by npm run reference from the types and their comments -->';
  return [`# ${title}`, '', note, '', opening, '', texts.join('\n\n'), ''].join('\n');
}

const isDocumented = ({ name }: Interface): boolean => placeOf(name) !== undefined;

function placeOf(name: string): string | undefined {
  return REFERENCE_PAGES.find(({ sections }) => sections.some(([one]) => one === name))?.path;
}

/** `also the options of CallOptions, without timeout`. `own`: the members that are there in another form. */
function inheritedBy({ one, how, keys }: Base, own: readonly string[], page: string): string {
  const names = keys.filter((key) => !own.includes(key)).map((key) => `\`${key}\``);
  if (how === 'Pick') return `also ${names.join(', ')} of ${linkTo(one.name, page)}`;
  return `also the options of ${linkTo(one.name, page)}${how === 'Omit' && names.length > 0 ? `, without ${names.join(', ')}` : ''}`;
}

function linkTo(name: string, page: string): string {
  const path = placeOf(name) ?? page;
  return `[${name}](${path === page ? '' : path.replace('options/', '')}#${name.toLowerCase()})`;
}

function sectionOf(all: readonly Interface[], [name, , { file } = {}]: Section): Interface {
  const found = all.filter((one) => one.name === name && (file === undefined || one.file === file));
  const [first, second] = found;
  if (!first || second)
    throw new Error(`${found.length} interfaces are called ${name}: ${found.map((one) => one.file).join(', ')}`);
  return first;
}

/** `Default: the first.`, `Default 300.`, `Default false: a batch is …` at the end of a sentence or of the comment. */
const DEFAULT = /(?:^|(?<=[.;)…] ))Default:? ((?:[^.]|\.(?! |$))+)(?:\.|$) ?/;

/** A comment without the sentence about the default. */
function meaningOf(comment: string): string {
  return comment.replace(DEFAULT, '').trim();
}

function rowOf({ name, type, isOptional, comment }: Member, page: string, [own, , details = {}]: Section): string {
  const { isPartial = false, defaults = {} } = details;
  const value = name in defaults ? shownOf(defaults[name]) : DEFAULT.exec(comment)?.[1];
  const meaning = meaningOf(comment);
  const standard = isOptional || isPartial ? (value ?? '–') : 'required';
  const more = linksTo(type, page, own);
  const text = escaped([meaning, more].filter((sentence) => sentence !== '').join(' '));
  // The type stands above its sentence: a column of its own would leave no room for it.
  const cells = [`\`${name}\``, escaped(standard), `${code(type)}<br>${text}`];
  return `| ${cells.join(' | ')} |`;
}

const ALIASES = readAliases();

/** A limit of the code as a reader writes it; limits that are off are infinite there. */
function shownOf(value: unknown): string {
  return value === Number.POSITIVE_INFINITY
    ? '0: no limit'
    : typeof value === 'number'
      ? value.toLocaleString('en-US')
      : String(value);
}

/** Leads to the options that a type mentions, or that an alias in it stands for. */
function linksTo(type: string, page: string, own: string): string {
  const words = new Set([...type.matchAll(/\w+/g)].flatMap(([word]) => [word, ...(ALIASES.get(word) ?? [])]));
  const names = REFERENCE_PAGES.flatMap(({ sections }) => sections.map(([name]) => name));
  const links = names.filter((name) => name !== own && words.has(name)).map((name) => linkTo(name, page));
  return links.length === 0 ? '' : `See ${links.join(', ')}.`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function escaped(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('see docs/', 'see ')
    .replaceAll(/<(?!br)/g, '&lt;');
}
