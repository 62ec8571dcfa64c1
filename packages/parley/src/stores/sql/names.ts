/** Never part of a text that means something; it marks a name that is kept as JSON. */
const MARK = '\uFFFE';

/**
 * A name that callers choose (a context, a tenant, an artifact), as SQLite can keep it. Half a surrogate pair has no
 * UTF-8 form: as it stands SQLite would replace it, and names that differ only there would become one.
 */
export function nameCell(name: string): string {
  return name.isWellFormed() && !name.startsWith(MARK) ? name : MARK + JSON.stringify(name);
}

export function nameOf(cell: string): string {
  return cell.startsWith(MARK) ? JSON.parse(cell.slice(MARK.length)) : cell;
}
