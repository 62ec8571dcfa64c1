const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The rows of a CSV text (RFC 4180): quoted fields may hold commas, line ends and doubled quotes; lines end in LF or
 * CRLF; blank lines are skipped. Throws a SyntaxError that names the line where the text is no CSV.
 */
export function parseCsv(source: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let line = 1;
  let position = source.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;

  // An open row goes on at the end of the text too: after a comma there is always a field, be it an empty one.
  while (position < source.length || row.length > 0) {
    const quoted = source[position] === '"';
    const end = quoted ? endOfQuotedField(source, position, line) : endOfBareField(source, position, line);
    const raw = source.slice(position, end);
    row.push(quoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (quoted) line += raw.split('\n').length - 1;
    position = end;

    if (source[position] === ',') {
      position += 1;
      continue;
    }
    const isBlank = raw === '' && row.length === 1;
    if (!isBlank) rows.push(row);
    row = [];
    position += source.startsWith('\r\n', position) ? 2 : 1;
    line += 1;
  }
  return rows;
}

/** The CSV text of the rows, with LF line ends. */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map((field) => formatField(String(field), row.length === 1)).join(',')}\n`).join('');
}

function formatField(field: string, alone: boolean): string {
  // A lone empty field needs its quotes: as a blank line it would be skipped.
  const needsQuotes = /[",\r\n\uFEFF]/.test(field) || (alone && field === '');
  return needsQuotes ? `"${field.replaceAll('"', '""')}"` : field;
}

function atLineEnd(source: string, position: number): boolean {
  return source[position] === '\n' || source.startsWith('\r\n', position);
}

function endOfBareField(source: string, start: number, line: number): number {
  let position = start;
  while (position < source.length && source[position] !== ',' && !atLineEnd(source, position)) {
    if (source[position] === '"') throw new SyntaxError(`Line ${line}: a quote inside a field that is not quoted`);
    position += 1;
  }
  return position;
}

function endOfQuotedField(source: string, start: number, line: number): number {
  let position = start + 1;
  for (;;) {
    const quote = source.indexOf('"', position);
    if (quote === -1) throw new SyntaxError(`Line ${line}: a quoted field does not end`);
    if (source[quote + 1] !== '"') {
      position = quote + 1;
      break;
    }
    position = quote + 2;
  }
  if (position < source.length && source[position] !== ',' && !atLineEnd(source, position)) {
    throw new SyntaxError(`Line ${line}: text after the end of a quoted field`);
  }
  return position;
}
