import type { StyleName } from '../text/style.ts';

/** A piece of text in one style. */
export interface Span {
  readonly text: string;
  readonly styles: readonly StyleName[];
}

/** Emphasis inside emphasis beyond this is shown as it is written. */
const DEEPEST = 6;

const DELIMITERS: readonly (readonly [delimiter: string, ...styles: StyleName[]])[] = [
  ['***', 'bold', 'italic'],
  ['**', 'bold'],
  ['__', 'bold'],
  ['~~', 'strike'],
  ['*', 'italic'],
  ['_', 'italic'],
];

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};

const IMAGE = /!\[([^\][]*)\]\(<?([^\s()<>]+)>?(?: +"[^"]*")?\)/y;
const LINK = /\[([^\][]+)\]\(<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?: +"[^"]*")?\)/y;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const BARE_LINK = /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]*_~]/y;
const ENTITY = /&(#?\w{2,6});/y;
const ESCAPE = /\\([!-/:-@[-`{-~])/y;
const BACKTICKS = /`+/y;

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** The spans of one line. Whatever is not well formed stays as it is written, so nothing is ever lost. */
export function inlineSpans(text: string, styles: readonly StyleName[] = [], depth = 0): readonly Span[] {
  const spans: Span[] = [];
  /** Marks without an end further on; searching for it again would take quadratic time. */
  const endless = new Set<string>();
  let plain = '';
  const push = (...more: readonly Span[]) => {
    if (plain !== '') spans.push({ text: plain, styles });
    plain = '';
    spans.push(...more);
  };
  const inner = (content: string, ...more: readonly StyleName[]) =>
    inlineSpans(content, [...styles, ...more], depth + 1);

  for (let index = 0; index < text.length; ) {
    const special = specialAt(text, index, styles, inner, endless, depth);
    if (special === undefined) {
      plain += text[index];
      index += 1;
    } else {
      if (typeof special.content === 'string') plain += special.content;
      else push(...special.content);
      index += special.length;
    }
  }
  push();
  return spans;
}

interface Special {
  readonly length: number;
  readonly content: string | readonly Span[];
}

type Inner = (content: string, ...styles: readonly StyleName[]) => readonly Span[];

function specialAt(
  text: string,
  index: number,
  styles: readonly StyleName[],
  inner: Inner,
  endless: Set<string>,
  depth: number,
): Special | undefined {
  switch (text.charAt(index)) {
    case '\\': {
      const escaped = matchAt(ESCAPE, text, index);
      return escaped ? { length: 2, content: escaped[1] ?? '' } : undefined;
    }
    case '&': {
      const entity = matchAt(ENTITY, text, index);
      const character = ENTITIES[entity?.[1] ?? ''];
      return entity && character ? { length: entity[0].length, content: character } : undefined;
    }
    case '`':
      return codeAt(text, index, styles, endless);
    case '!': {
      const image = matchAt(IMAGE, text, index);
      if (!image) return undefined;
      const [whole, alternative = '', url = ''] = image;
      const label: Span = { text: `[image${alternative ? `: ${alternative}` : ''}]`, styles: [...styles, 'italic'] };
      return { length: whole.length, content: [label, { text: ` (${url})`, styles: [...styles, 'dim'] }] };
    }
    case '[': {
      const link = depth > DEEPEST ? null : matchAt(LINK, text, index);
      if (!link) return undefined;
      const [whole, label = '', url = ''] = link;
      const shown = inner(label, 'underline');
      const target: readonly Span[] =
        url === label || url === '' ? [] : [{ text: ` (${url})`, styles: [...styles, 'dim'] }];
      return { length: whole.length, content: [...shown, ...target] };
    }
    case '<': {
      const link = matchAt(AUTOLINK, text, index);
      return link
        ? { length: link[0].length, content: [{ text: link[1] ?? '', styles: [...styles, 'underline'] }] }
        : undefined;
    }
    case 'h': {
      const link = isWordAt(text, index - 1) || styles.includes('underline') ? null : matchAt(BARE_LINK, text, index);
      return link
        ? { length: link[0].length, content: [{ text: link[0], styles: [...styles, 'underline'] }] }
        : undefined;
    }
    case '*':
    case '_':
    case '~':
      return depth > DEEPEST ? undefined : emphasisAt(text, index, inner, endless);
    default:
      return undefined;
  }
}

/** Code ends with as many backticks as it began with. */
function codeAt(text: string, index: number, styles: readonly StyleName[], endless: Set<string>): Special | undefined {
  const ticks = matchAt(BACKTICKS, text, index)?.[0] ?? '`';
  if (!endless.has(ticks)) {
    for (let end = text.indexOf(ticks, index + ticks.length); end >= 0; ) {
      const run = matchAt(BACKTICKS, text, end)?.[0] ?? ticks;
      if (run === ticks) {
        const content = withoutPadding(text.slice(index + ticks.length, end));
        return { length: end + ticks.length - index, content: [{ text: content, styles: [...styles, 'cyan'] }] };
      }
      end = text.indexOf(ticks, end + run.length);
    }
    endless.add(ticks);
  }
  return { length: ticks.length, content: ticks };
}

function emphasisAt(text: string, index: number, inner: Inner, endless: Set<string>): Special | undefined {
  for (const [delimiter, ...styles] of DELIMITERS) {
    if (!text.startsWith(delimiter, index) || endless.has(delimiter)) continue;
    const begin = index + delimiter.length;
    // `2 * 3`, `snake_case` and a run of more delimiters are no begin.
    if (!isInk(text, begin) || text[begin] === delimiter[0]) continue;
    if (delimiter[0] === '_' && isWordAt(text, index - 1)) continue;
    const end = closing(text, delimiter, begin);
    if (end < 0) {
      endless.add(delimiter);
      continue;
    }
    return { length: end + delimiter.length - index, content: inner(text.slice(begin, end), ...styles) };
  }
  return undefined;
}

function closing(text: string, delimiter: string, begin: number): number {
  const mark = delimiter[0];
  for (let end = text.indexOf(delimiter, begin + 1); end >= 0; end = text.indexOf(delimiter, end + 1)) {
    const after = end + delimiter.length;
    const isPartOfLonger = text[after] === mark || (text[end - 1] === mark && text[end - 2] !== '\\');
    if (!isInk(text, end - 1) || text[end - 1] === '\\' || isPartOfLonger) continue;
    if (mark === '_' && isWordAt(text, after)) continue;
    return end;
  }
  return -1;
}

function isInk(text: string, index: number): boolean {
  const character = text[index];
  return character !== undefined && character !== ' ' && character !== '\t';
}

function isWordAt(text: string, index: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[index] ?? '');
}

/** Code that begins and ends with a backtick needs a space beside each, which is no part of it. */
function withoutPadding(code: string): string {
  const isPadded = code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code);
  return isPadded ? code.slice(1, -1) : code;
}
