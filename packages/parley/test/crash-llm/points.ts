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

/** The points around a record: its content is ready, and then it is on disk. */
export function around(record: string): readonly string[] {
  return [`${record} is to be recorded`, `${record} is recorded`];
}

/** The points of one model call: before the request, before the response, in the middle of it, and around its record. */
export function aroundCall(call: number): readonly string[] {
  const model = `model ${call}`;
  return [`${model} is about to be asked`, `${model} is asked`, `${model} speaks`, ...around(model)];
}
