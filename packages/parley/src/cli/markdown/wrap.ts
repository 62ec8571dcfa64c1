import type { Style } from '../text/style.ts';
import { headOf, widthOf } from '../text/width.ts';
import type { Span } from './inline.ts';

interface Word {
  readonly spans: Span[];
  width: number;
}

interface WrapOptions {
  readonly style: Style;
  readonly columns: number;
  /** Breaks words that are too wide, as cells of tables need it. Elsewhere the terminal does, and links stay whole. */
  readonly breakWords?: boolean;
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

function paint(spans: readonly Span[], style: Style): string {
  const merged: { text: string; styles: Span['styles'] }[] = [];
  for (const { text, styles } of spans) {
    const last = merged.at(-1);
    if (last && last.styles.join() === styles.join()) last.text += text;
    else merged.push({ text, styles });
  }
  return merged.map(({ text, styles }) => style.apply(text, ...styles)).join('');
}

/** The spans in lines that fit, each with its width. What fits as it is keeps its blanks. */
export function wrapSpans(
  spans: readonly Span[],
  { style, columns, breakWords = false }: WrapOptions,
): readonly { readonly text: string; readonly width: number }[] {
  const whole = spansWidth(spans);
  if (whole <= columns) return [{ text: paint(spans, style), width: whole }];
  const lines: { text: string; width: number }[] = [];
  let line: Span[] = [];
  let width = 0;
  const end = () => {
    lines.push({ text: paint(line, style), width });
    line = [];
    width = 0;
  };
  const words = breakWords ? wordsOf(spans).flatMap((word) => broken(word, Math.max(1, columns))) : wordsOf(spans);
  for (const word of words) {
    if (width > 0 && width + 1 + word.width > columns) end();
    if (width > 0) {
      line.push({ text: ' ', styles: blankStyles(line.at(-1), word.spans[0]) });
      width += 1;
    }
    line.push(...word.spans);
    width += word.width;
  }
  if (line.length > 0 || lines.length === 0) end();
  return lines;
}

function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  let current: Word | undefined;
  for (const { text, styles } of spans) {
    for (const piece of text.split(/([ \t]+)/)) {
      if (piece === '') continue;
      if (/^[ \t]/.test(piece)) {
        current = undefined;
        continue;
      }
      if (!current) {
        current = { spans: [], width: 0 };
        words.push(current);
      }
      current.spans.push({ text: piece, styles });
      current.width += widthOf(piece);
    }
  }
  return words;
}

function broken(word: Word, columns: number): readonly Word[] {
  if (word.width <= columns) return [word];
  const pieces: Word[] = [];
  let piece: Word = { spans: [], width: 0 };
  for (const { text, styles } of word.spans) {
    for (let rest = text; rest !== ''; ) {
      const room = columns - piece.width;
      // A character that is wider than the column has to go somewhere.
      const head = headOf(rest, room) || (piece.width === 0 ? (Array.from(rest)[0] ?? '') : '');
      if (head !== '') {
        piece.spans.push({ text: head, styles });
        piece.width += widthOf(head);
        rest = rest.slice(head.length);
      }
      if (rest !== '') {
        pieces.push(piece);
        piece = { spans: [], width: 0 };
      }
    }
  }
  return [...pieces, piece];
}

/** A blank inside of a link is part of it. */
function blankStyles(before: Span | undefined, after: Span | undefined): Span['styles'] {
  return before && after && before.styles.join() === after.styles.join() ? before.styles : [];
}
