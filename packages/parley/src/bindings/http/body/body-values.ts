import { A2AError } from '../../../model/errors/errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Refuses a body whose JSON has too many texts, names, objects and arrays: each costs a parser far more than its few bytes, while
 * numbers cost next to nothing. Only a body that is long enough to have so many is looked at, and none to its end that has.
 */
export function requireFewValues(text: string, most: number): void {
  if (text.length > most * SHORTEST && hasMore(text, most)) throw tooManyValues(most);
}

/** The characters that each of them takes: `""`, `[]` or `{}`. */
const SHORTEST = 2;

/** Jumps from one to the next, by searches that pass over all else at once. */
function hasMore(text: string, most: number): boolean {
  let quote = -1;
  let bracket = -1;
  let brace = -1;
  let at = 0;
  for (let count = 0; count <= most; count += 1) {
    if (quote < at) quote = placeOf(text, '"', at);
    if (bracket < at) bracket = placeOf(text, '[', at);
    if (brace < at) brace = placeOf(text, '{', at);
    const next = Math.min(quote, bracket, brace);
    if (next === Number.POSITIVE_INFINITY) return false;
    at = (next === quote ? endOfText(text, next + 1) : next) + 1;
  }
  return true;
}

function placeOf(text: string, character: string, from: number): number {
  const place = text.indexOf(character, from);
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** The place of the quote that ends a text: found by searches where quotes in it are rare, else character by character. */
function endOfText(text: string, from: number): number {
  let at = from;
  for (let escaped = 0; at - from >= escaped * WORTH_A_SEARCH; escaped += 1) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (quote - slashes > at && text.charCodeAt(quote - slashes - 1) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** A search takes as long as a look at this many characters. */
const WORTH_A_SEARCH = 8;

function tooManyValues(most: number): A2AError {
  const message = `The body has more than the ${most} texts, names, objects and arrays that are allowed`;
  return new A2AError('PAYLOAD_TOO_LARGE', message, { metadata: { limit: 'values' } });
}
