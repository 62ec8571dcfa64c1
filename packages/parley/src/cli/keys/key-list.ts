import type { KeyEntry } from '../../server/auth/keys/key-record.ts';
import type { Screen } from '../show/screen.ts';
import { cleanLine } from '../text/clean.ts';
import { padded, widthOf } from '../text/width.ts';

const TITLES = ['ID', 'SUBJECT', 'SCOPES', 'CREATED'] as const;

/** Shows keys without their hashes: a table for a person, lines with tabs for a pipe, objects with `--json`. */
export function showKeys(keys: readonly KeyEntry[], screen: Screen): void {
  if (screen.json) {
    for (const { id, subject, scopes = [], createdAt } of keys) screen.object({ id, subject, scopes, createdAt });
    return;
  }
  const rows = keys.map(({ id, subject, scopes = [], createdAt = '' }) =>
    [id, subject, scopes.join(' '), createdAt].map(cleanLine),
  );
  if (!screen.isShown) {
    for (const row of rows) screen.write(`${row.join('\t')}\n`);
    return;
  }
  const widths = TITLES.map((title, index) => Math.max(title.length, ...rows.map((row) => widthOf(row[index] ?? ''))));
  const lineOf = (row: readonly string[]) => row.map((text, index) => padded(text, widths[index] ?? 0)).join('  ');
  const lines = [screen.style.apply(lineOf(TITLES).trimEnd(), 'dim'), ...rows.map((row) => lineOf(row).trimEnd())];
  if (rows.length > 0) screen.write(`${lines.join('\n')}\n`);
}
