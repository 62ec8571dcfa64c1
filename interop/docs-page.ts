import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../docs/interop.md');
const BEGIN = '<!-- matrix: written by npm run interop -- --write -->';
const END = '<!-- end of the matrix -->';

/** Puts the matrix between the two marks of docs/interop.md. */
export async function writeMatrix(matrix: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('docs/interop.md has lost the marks around its matrix');
  await writeFile(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${matrix}\n\n${page.slice(end)}`);
}
