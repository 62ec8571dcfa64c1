import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Writes a line that is on disk when it returns. */
export function appendLine(path: string, line: string): void {
  const handle = openSync(path, 'a');
  writeSync(handle, `${line}\n`);
  fsyncSync(handle);
  closeSync(handle);
}

export function linesIn(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

/** How often each line is in a file. */
export function countsIn(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesIn(path)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
