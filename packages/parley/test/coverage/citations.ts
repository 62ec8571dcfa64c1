/** What a test file says that it proves. */
export interface Citations {
  /** Rule ids in titles, in order. */
  readonly cited: readonly string[];
  /** Rule ids that stand elsewhere, in a comment or a string that is no title: they prove nothing. */
  readonly stray: readonly string[];
}

const CALL = /(?<![\w.])(?:it|test|describe)(?:\.\w+)*/g;
const CITATION = /\[rule:([^\]]*)\]/g;

/** The rules that a test file cites in the titles of its `it`, `test` and `describe` calls: `[rule:card.etag]`. */
export function citationsIn(source: string): Citations {
  const cited = titlesIn(source).flatMap(idsIn);
  const stray = idsIn(source);
  for (const id of cited) stray.splice(stray.indexOf(id), 1);
  return { cited, stray };
}

export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  for (const { 0: name, index } of source.matchAll(CALL)) {
    const title = titleAt(source, index + name.length);
    if (title !== undefined) titles.push(title);
  }
  return titles;
}

function idsIn(text: string): string[] {
  return [...text.matchAll(CITATION)].map((match) => match[1] ?? '');
}

/** The first argument of the call that begins here; of `it.each(table)('…')` that of the second call. */
function titleAt(source: string, start: number): string | undefined {
  let at = start;
  if (source[at] === '<') at = skip(source, at, '<', '>');
  for (let call = 0; call < 2 && source[at] === '('; call += 1) {
    const argument = at + 1 + (/^\s*/.exec(source.slice(at + 1))?.[0].length ?? 0);
    if (isQuote(source[argument])) return source.slice(argument + 1, skipText(source, argument) - 1);
    at = skip(source, at, '(', ')');
  }
  return undefined;
}

/** The place behind the bracket that closes the one here. */
function skip(source: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at];
    if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if (isQuote(character)) at = skipText(source, at) - 1;
    else if (source.startsWith('=>', at)) at += 1;
    else if (character === open) depth += 1;
    else if (character === close && --depth === 0) return at + 1;
    if (at === -1) break;
  }
  return source.length;
}

/** The place behind the string that begins here. */
function skipText(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== source[start]) at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isQuote(character: string | undefined): boolean {
  return character === "'" || character === '"' || character === '`';
}
