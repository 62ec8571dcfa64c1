import { stripVTControlCharacters } from 'node:util';
import { clean } from '../text/clean.ts';
import type { Style, StyleName } from '../text/style.ts';
import { widthOf } from '../text/width.ts';
import { inlineSpans, type Span } from './inline.ts';
import { isDelimiterRow, isTableRow, renderTable } from './table.ts';
import { wrapSpans } from './wrap.ts';

interface RenderOptions {
  readonly style: Style;
  /** Asked for with every line: a terminal changes its size. */
  readonly columns: () => number;
}

/** Turns text into what a terminal shows, as far as it can be told while more is to come. */
export interface Renderer {
  /** Returns the part of the text that can be shown; always whole lines. */
  write(text: string): string;
  /** The rest. */
  end(): string;
  /** Text that was written and is not shown yet. */
  readonly pending: string;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
}

/** Wider than this is hard to read. */
const WIDEST_TEXT = 100;

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|)$/;
const QUOTE = /^ {0,3}((?:>[ \t]?)+)(.*)$/;
const TO_DO = /^\[([ xX])\][ \t]+/;

/**
 * Markdown, line by line: a line is shown as soon as it is whole, a table when it has ended. So the result does not
 * depend on how the text was cut into chunks.
 */
export class MarkdownRenderer implements Renderer {
  readonly #options: RenderOptions;
  #rest = '';
  #fence: Fence | undefined;
  /** A row that may begin a table, or the rows of one. */
  #rows: string[] = [];
  #isBlankDue = false;
  #hasShown = false;
  #isInList = false;

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  get pending(): string {
    return [...this.#rows, this.#rest].join('\n');
  }

  write(text: string): string {
    if (!text.includes('\n')) {
      this.#rest += text;
      return '';
    }
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => this.#line(line)).join('');
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    const shown = (rest === '' ? '' : this.#line(rest)) + this.#endRows();
    this.#fence = undefined;
    this.#isBlankDue = false;
    return shown;
  }

  #line(raw: string): string {
    const line = clean(raw.replace(/\r$/, ''));
    if (this.#fence) return this.#inFence(line, this.#fence);
    if (this.#rows.length === 1 && isDelimiterRow(line) && isTableRow(this.#rows[0] ?? '')) {
      this.#rows.push(line);
      return '';
    }
    if (this.#rows.length > 1 && isTableRow(line)) {
      this.#rows.push(line);
      return '';
    }
    const before = this.#endRows();
    if (isTableRow(line) && !FENCE.test(line)) {
      this.#rows = [line];
      return before;
    }
    return before + this.#block(line);
  }

  #endRows(): string {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length < 2) return rows.map((row) => this.#block(row)).join('');
    this.#isInList = false;
    const columns = this.#options.columns();
    return this.#show(renderTable(rows, this.#options.style, columns) ?? rows);
  }

  #block(line: string): string {
    const { style } = this.#options;
    if (line.trim() === '') {
      this.#isBlankDue = this.#hasShown;
      return '';
    }
    const fence = FENCE.exec(line);
    if (fence) {
      const [, indent = '', mark = '', language = ''] = fence;
      this.#fence = { mark, indent: indent.length };
      const label = style.colors ? style.apply(language.trim(), 'dim') : line;
      return label === '' ? '' : this.#show([label]);
    }
    if (RULE.test(line)) {
      this.#isInList = false;
      return this.#show([style.apply('─'.repeat(Math.min(this.#columns, 40)), 'dim')]);
    }
    const heading = HEADING.exec(line);
    if (heading) {
      this.#isInList = false;
      const [, marks = '', title = ''] = heading;
      if (!style.colors) return this.#show([line.trim()]);
      const look: readonly StyleName[] =
        marks.length === 1 ? ['bold', 'underline'] : marks.length === 2 ? ['bold', 'cyan'] : ['bold'];
      return this.#text(title, '', '', look);
    }
    const quote = QUOTE.exec(line);
    if (quote) {
      const bars = style.apply('│ '.repeat((quote[1] ?? '').replace(/[^>]/g, '').length), 'dim');
      return this.#text(quote[2] ?? '', bars, bars, ['italic']);
    }
    const item = ITEM.exec(line);
    if (item) return this.#item(item);
    const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ') ?? '';
    // Deep indentation is code, except below an item.
    if (indent.length >= 4 && !this.#isInList) return this.#show([style.apply(line, 'cyan')]);
    if (indent === '' && this.#isBlankDue) this.#isInList = false;
    return this.#text(line.trimStart(), indent, indent, []);
  }

  #item([, space = '', mark = '', content = '']: RegExpExecArray): string {
    this.#isInList = true;
    const { style } = this.#options;
    const isNumber = /\d/.test(mark);
    const toDo = isNumber ? null : TO_DO.exec(content);
    const sign = toDo ? (toDo[1] === ' ' ? '☐' : '☑') : isNumber ? mark : '•';
    const indent = space.replaceAll('\t', '    ');
    const rest = ' '.repeat(indent.length + widthOf(sign) + 1);
    return this.#text(
      toDo ? content.slice(toDo[0].length) : content,
      `${indent}${style.apply(sign, 'cyan')} `,
      rest,
      [],
    );
  }

  #inFence(line: string, { mark, indent }: Fence): string {
    const { style } = this.#options;
    const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
    if (end && end[0] === mark[0] && end.length >= mark.length) {
      this.#fence = undefined;
      return style.colors ? '' : this.#show([line]);
    }
    const content = line.replace(new RegExp(`^ {0,${indent}}`), '');
    return this.#show([style.colors ? `  ${style.apply(content, 'cyan')}` : content]);
  }

  /** Text with a begin for the first line and one for the others. */
  #text(text: string, first: string, rest: string, styles: readonly StyleName[]): string {
    const { style } = this.#options;
    const spans: readonly Span[] = style.colors
      ? inlineSpans(text.trimEnd(), styles)
      : [{ text: text.trimEnd(), styles: [] }];
    const indent = widthOf(stripVTControlCharacters(first));
    const lines = wrapSpans(spans, { style, columns: Math.max(20, this.#columns - indent) });
    return this.#show(lines.map((line, index) => `${index === 0 ? first : rest}${line.text}`));
  }

  #show(lines: readonly string[]): string {
    const blank = this.#isBlankDue ? '\n' : '';
    this.#isBlankDue = false;
    this.#hasShown = true;
    return `${blank}${lines.join('\n')}\n`;
  }

  get #columns(): number {
    return Math.min(this.#options.columns(), WIDEST_TEXT);
  }
}

/** Text that is no Markdown, safe to show. */
export class PlainRenderer implements Renderer {
  pending = '';

  write(text: string): string {
    if (!text.includes('\n')) {
      this.pending += text;
      return '';
    }
    const lines = (this.pending + text).split('\n');
    this.pending = lines.pop() ?? '';
    return lines.map((line) => `${clean(line.replace(/\r$/, ''))}\n`).join('');
  }

  end(): string {
    const rest = this.pending;
    this.pending = '';
    return rest === '' ? '' : `${clean(rest)}\n`;
  }
}
