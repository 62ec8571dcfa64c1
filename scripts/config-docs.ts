import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema, settingTables } from './config-tables.ts';

const ROOT = join(import.meta.dirname, '..');
const BEGIN = '<!-- settings -->';
const END = '<!-- /settings -->';

/** The files that are made from the table of settings, as they must be now. */
export function configDocs(): ReadonlyMap<string, string> {
  const page = 'docs/configuration.md';
  const text = readFileSync(join(ROOT, page), 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return new Map([
    [page, `${before}${BEGIN}\n\n${settingTables()}\n\n${END}${after}`],
    ['packages/parley/parley.config.schema.json', `${JSON.stringify(configSchema(), undefined, 2)}\n`],
  ]);
}

if (import.meta.main) {
  for (const [file, text] of configDocs()) writeFileSync(join(ROOT, file), text);
}
