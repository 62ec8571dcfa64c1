import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

export interface Row {
  /** What stands in backticks in the first cell. */
  readonly names: readonly string[];
  readonly cells: readonly string[];
}

/** The rows of the table in a document whose first line begins so. */
export function tableOf(document: string, heading: string): readonly Row[] {
  const lines = readFileSync(join(ROOT, document), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(heading));
  if (start < 0) throw new Error(`${document} has no table ${heading}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, length < 0 ? undefined : start + length).map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const names = [...(cells[1] ?? '').matchAll(/`(\w+)/g)].map(([, name = '']) => name);
    return { names, cells: cells.slice(1, -1) };
  });
}

/** The members of an interface of the sources, each with its comment. Inherited ones are not among them. */
export function membersOf(file: string, name: string): ReadonlyMap<string, string> {
  const source = readFileSync(join(ROOT, 'packages/parley/src', file), 'utf8');
  const [, body] = new RegExp(`interface ${name}\\b[^\\n]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source) ?? [];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  const members = body.matchAll(/(?:^ {2}\/\*\*([\s\S]*?)\*\/\n)?^ {2}(?:readonly )?(\w+)\??:/gm);
  return new Map([...members].map(([, comment = '', member = '']) => [member, comment.replaceAll(/\s+\*?\s*/g, ' ')]));
}
