import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeReference } from './reference/write.ts';

const DOCS = join(import.meta.dirname, '../docs');

const { pages, undescribed } = makeReference();
for (const [path, text] of pages) {
  mkdirSync(dirname(join(DOCS, path)), { recursive: true });
  writeFileSync(join(DOCS, path), text);
}
for (const { file, name, member } of undescribed) console.error(`${file}: ${name}.${member} has no comment`);
console.log(`${pages.size} pages in docs/options`);
