import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const REFERENCE = join(ROOT, 'docs/reference/rules.json');
/** The table that `parley check` ships with. */
export const TABLE = join(ROOT, 'packages/parley/src/check/table/rules.ts');

interface ReferenceRule {
  readonly id: string;
  readonly versions: readonly string[];
  readonly bindings: readonly string[];
  readonly side: string;
  readonly level: string;
  readonly section: string;
  readonly rule: string;
}

/** The rules that a server can break, one on each line, as the source of a module. */
export function tableSource(rules: readonly ReferenceRule[]): string {
  const lines = rules
    .filter(({ side }) => side !== 'client')
    .map(({ id, level, versions, bindings, section, rule }) =>
      [id, level, versions.join(' '), bindings.join(' '), section, rule].join(' | '),
    );
  const text = lines.join('\n').replaceAll(/[\\`]|\$\{/g, '\\$&');
  return [
    '/**',
    ' * The rules of the reference that a server can break: id, level, versions, bindings, section and text. Written by',
    ' * `npm run check:rules` from docs/reference/rules.json; a test compares both.',
    ' */',
    `export const RULE_LINES = \`${text}\`;`,
    '',
  ].join('\n');
}

/** The table as it must be now. */
export function currentTable(): string {
  return tableSource(JSON.parse(readFileSync(REFERENCE, 'utf8')));
}

if (import.meta.main) writeFileSync(TABLE, currentTable());
