import type { Style } from '../text/style.ts';
import { inlineSpans, type Span } from './inline.ts';
import { spansWidth, wrapSpans } from './wrap.ts';

type Alignment = 'left' | 'right' | 'center';

const GAP = 2;
const NARROWEST = 4;

export function isTableRow(line: string): boolean {
  return /^ {0,3}\S/.test(line) && /(^|[^\\])\|/.test(line);
}

export function isDelimiterRow(line: string): boolean {
  return /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(line) && line.includes('-');
}

/** Cells as they are written; a bar inside of one is escaped. */
function cellsOf(line: string): readonly string[] {
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(^|[^\\])\|$/, '$1');
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignmentOf(cell: string): Alignment {
  if (cell.startsWith(':') && cell.endsWith(':')) return 'center';
  return cell.endsWith(':') ? 'right' : 'left';
}

/** Lines of a table that fits; undefined where it has too many columns for that. */
export function renderTable(rows: readonly string[], style: Style, columns: number): readonly string[] | undefined {
  const [header = '', delimiter = '', ...body] = rows;
  const alignments = cellsOf(delimiter).map(alignmentOf);
  // Rows may have more cells than the header: they are shown, too.
  const count = Math.max(...[header, ...body].map((line) => cellsOf(line).length));
  const spansOf = (line: string, isHeader: boolean): readonly (readonly Span[])[] => {
    const cells = cellsOf(line);
    return Array.from({ length: count }, (_, index) => spansOfCell(cells[index] ?? '', style, isHeader));
  };
  const all = [spansOf(header, true), ...body.map((line) => spansOf(line, false))];
  const natural = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...all.map((cells) => spansWidth(cells[index] ?? []))),
  );
  const widths = fitted(natural, columns - GAP * (count - 1));
  if (!widths) return undefined;
  const [first, ...others] = all.map((cells) => renderRow(cells, widths, alignments, style));
  const rule = style.apply(widths.map((width) => '─'.repeat(width)).join(' '.repeat(GAP)), 'dim');
  return [...(first ?? []), rule, ...others.flat()];
}

function spansOfCell(cell: string, style: Style, isHeader: boolean): readonly Span[] {
  if (!style.colors) return [{ text: cell, styles: [] }];
  return inlineSpans(cell, isHeader ? ['bold'] : []);
}

/** The widest columns give first. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; ) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return undefined;
    const second = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const wide = widths.flatMap((width, index) => (width === widest ? [index] : []));
    const step = Math.max(1, Math.min(widest - second, Math.ceil(excess / wide.length)));
    for (const index of wide) widths[index] = widest - step;
    excess -= step * wide.length;
  }
  return widths;
}

function renderRow(
  cells: readonly (readonly Span[])[],
  widths: readonly number[],
  alignments: readonly Alignment[],
  style: Style,
): readonly string[] {
  const wrapped = cells.map((spans, index) =>
    wrapSpans(spans, { style, columns: widths[index] ?? 1, breakWords: true }),
  );
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped
      .map((lines, index) =>
        aligned(lines[row] ?? { text: '', width: 0 }, widths[index] ?? 1, alignments[index] ?? 'left'),
      )
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function aligned(cell: { readonly text: string; readonly width: number }, width: number, alignment: Alignment): string {
  const room = Math.max(0, width - cell.width);
  const before = alignment === 'right' ? room : alignment === 'center' ? Math.floor(room / 2) : 0;
  return ' '.repeat(before) + cell.text + ' '.repeat(room - before);
}
