import type { KeyEntry } from '../../server/auth/keys/key-record.ts';
import type { Screen } from '../show/screen.ts';
import { cleanLine } from '../text/clean.ts';
import { padded, widthOf } from '../text/width.ts';

/** The tenants come last, so that programs find the other columns where they always were. */
const TITLES = ['ID', 'SUBJECT', 'SCOPES', 'CREATED', 'TENANT'] as const;

/** Shows keys without their hashes: a table for a person, lines with tabs for a pipe, objects with `--json`. */
export function showKeys(keys: readonly KeyEntry[], screen: Screen): void {
  if (screen.json) {
    for (const { id, subject, tenant, scopes = [], createdAt } of keys) {
      screen.object({ id, subject, ...(tenant !== undefined && { tenant }), scopes, createdAt });
    }
    return;
  }
  const hasTenants = keys.some(({ tenant }) => tenant !== undefined);
  const titles = hasTenants ? TITLES : TITLES.slice(0, -1);
  const rows = keys.map(({ id, subject, tenant = '', scopes = [], createdAt = '' }) =>
    [id, subject, scopes.join(' '), createdAt, ...(hasTenants ? [tenant] : [])].map(cleanLine),
  );
  if (!screen.isShown) {
    for (const row of rows) screen.write(`${row.join('\t')}\n`);
    return;
  }
  const widths = titles.map((title, index) => Math.max(title.length, ...rows.map((row) => widthOf(row[index] ?? ''))));
  const lineOf = (row: readonly string[]) => row.map((text, index) => padded(text, widths[index] ?? 0)).join('  ');
  const lines = [screen.style.apply(lineOf(titles).trimEnd(), 'dim'), ...rows.map((row) => lineOf(row).trimEnd())];
  if (rows.length > 0) screen.write(`${lines.join('\n')}\n`);
}
